import { literalTemplate } from "@lading/schema";
import { CellError } from "../issues.ts";

/** Templates that take white space of the text next to them away: blocks, comments, and `~`. */
export const trims = /~|\{\{\s*(?:[#^/!]|else\b)/;

/** Keeps a text apart from templates next to it. Of two comments none stands alone on its line, and takes that away. */
const guard = "{{!}}{{!}}";

const unfilled = "an argument of a helper or a block cannot end with a backslash";

/**
 * Collects a text with cells, so that a run renders it with the cells byte for byte: their braces and backslashes are
 * text, and no template takes white space of them away.
 */
export class FilledTemplate {
  readonly #trims: boolean;
  #written = "";
  /** Text since the last template, which is rendered as it is. */
  #text = "";

  /** @param trims true if the text has templates that take white space away */
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
    // They would be read together with the braces: the comment takes the space before it away.
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
