import { literalTemplate } from "@lading/schema";
import { CellError } from "../cells/cell-error.ts";

/** Templates that strip white space from adjacent text: blocks, comments, and `~`. */
export const trims = /~|\{\{\s*(?:[#^/!]|else\b)/;

/** Separates a text from adjacent templates. Of two comments neither is alone on its line, which would strip that. */
const guard = "{{!}}{{!}}";

const unfilled = "an argument of a helper or a block cannot end with a backslash";

/**
 * Collects a text with cells, so that a run renders the cells byte for byte: their braces and backslashes are text, and
 * no template strips their white space.
 */
export class FilledTemplate {
  readonly #trims: boolean;
  #written = "";
  /** Text since the last template, to be rendered literally. */
  #text = "";

  /** @param trims true if the text has templates that strip white space */
  constructor(trims: boolean) {
    this.#trims = trims;
  }

  addText(text: string): void {
    this.#text += text;
  }

  addCell(text: string): void {
    const isGuarded = this.#trims && (text === "" || text.trim() !== text);
    if (isGuarded) this.addTemplate(guard);
    this.addText(text);
    if (isGuarded) this.addTemplate(guard);
  }

  addTemplate(template: string): void {
    this.#endText();
    // They would be parsed together with the braces: the comment strips the space before it.
    if (/[{\\]$/.test(this.#text)) this.#written += " {{~!}}";
    this.#written += template;
    this.#text = "";
  }

  #endText(): void {
    if (this.#text.startsWith("}") && this.#written.endsWith("}")) this.#written += guard;
    this.#written += literalTemplate(this.#text);
  }

  addArgument(value: string | number | boolean): void {
    if (typeof value === "string") {
      if (value.endsWith("\\")) throw new CellError("UnfilledTemplate", unfilled);
      const quote = value.includes('"') && !value.includes("'") ? "'" : '"';
      this.#written += quote + value.replaceAll(quote, `\\${quote}`) + quote;
    } else if (/^(?:-?\d+(?:\.\d+)?|true|false)$/.test(String(value))) this.#written += value;
    else
      throw new CellError(
        "UnfilledTemplate",
        `${value} cannot be written as an argument of a helper or a block`,
      );
  }

  /** @param isName true for a text that no run renders */
  end(isName: boolean): string {
    if (isName) return this.#text;
    this.#endText();
    return this.#written;
  }
}
