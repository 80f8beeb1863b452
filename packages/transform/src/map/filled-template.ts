import { literalTemplate } from "@lading/schema/internal";
import { CellError } from "../issues.ts";
import { countCharacters, type Scope } from "./scope.ts";

/** Templates that strip white space from adjacent text: blocks, comments, and `~`. */
export const trims = /~|\{\{\s*(?:[#^/!]|else\b)/;

/** Separates a text from adjacent templates. Of two comments neither is alone on its line, which would strip that. */
const guard = "{{!}}{{!}}";

/**
 * Collects a text with cells, so that a run renders the cells byte for byte: their braces and backslashes are text, and
 * no template strips their white space.
 */
export class FilledTemplate {
  readonly #trims: boolean;
  #written = "";
  /** The last template, and the text since, which is rendered as it is. */
  #template = "";
  #text = "";

  /** @param trims true if the text has templates that strip white space */
  constructor(trims: boolean) {
    this.#trims = trims;
  }

  addText(scope: Scope, text: string): void {
    countCharacters(scope, text.length);
    this.#text += text;
  }

  addCell(scope: Scope, text: string): void {
    const isGuarded = this.#trims && (text === "" || text.trim() !== text);
    if (isGuarded) this.addTemplate(scope, guard);
    this.addText(scope, text);
    if (isGuarded) this.addTemplate(scope, guard);
  }

  addTemplate(scope: Scope, template: string): void {
    countCharacters(scope, template.length);
    this.#endText();
    // They would be parsed together with the braces: the comment strips the space before it.
    if (/[{\\]$/.test(this.#text)) this.#written += " {{~!}}";
    this.#written += template;
    this.#template = template;
    this.#text = "";
  }

  #endText(): void {
    if (this.#text.startsWith("}") && this.#template.endsWith("}")) this.#written += guard;
    this.#written += literalTemplate(this.#text);
  }

  /** @param isPlain true for a number, `true` or `false` */
  addArgument(scope: Scope, text: string, isPlain: boolean): void {
    countCharacters(scope, text.length);
    if (isPlain && !/^(?:-?\d+(?:\.\d+)?|true|false)$/.test(text))
      throw new CellError(
        "UnfilledTemplate",
        `${text} cannot be written as an argument of a helper or a block`,
      );
    if (!isPlain && text.endsWith("\\"))
      throw new CellError(
        "UnfilledTemplate",
        "an argument of a helper or a block cannot end with a backslash",
      );
    const quote = isPlain ? "" : text.includes('"') && !text.includes("'") ? "'" : '"';
    this.#written += quote + (isPlain ? text : text.replaceAll(quote, `\\${quote}`)) + quote;
  }

  /** @param isLiteral true for a text that no run renders */
  end(isLiteral: boolean): string {
    if (isLiteral) return this.#text;
    this.#endText();
    return this.#written;
  }
}
