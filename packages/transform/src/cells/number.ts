import { changesWhenRead, quoted } from "@lading/schema";
import { CellError } from "../issues.ts";

interface NumberSettings {
  readonly decimal?: "." | "," | undefined;
  readonly thousands?: "." | "," | " " | "'" | undefined;
}

/** The characters that are meant by a mark: a space may be one that does not break. */
const marks = { ".": "\\.", ",": ",", " ": "[ \\u00A0\\u202F]", "'": "['\\u2019]" } as const;

/** The most digits of a number that surely are kept. */
const surelyKept = 15;

/** Makes the reader of a column's numbers: `1.234,50` is 1234.5 where the marks are set so. */
export function numberReader(settings: NumberSettings): (cell: unknown) => number {
  const { decimal = ".", thousands } = settings;
  const mark = thousands === undefined ? undefined : marks[thousands];
  const whole = mark === undefined ? "\\d+" : `(?:\\d{1,3}(?:${mark}\\d{3})+|\\d+)`;
  const pattern = new RegExp(`^[+-]?${whole}(?:${marks[decimal]}\\d+)?(?:[eE][+-]?\\d{1,3})?$`);
  const separator = mark === undefined ? undefined : new RegExp(mark, "g");
  return (cell) => {
    if (typeof cell === "number") return cell;
    const text = String(cell);
    if (!pattern.test(text)) throw new CellError("InvalidNumber", objection(text, settings));
    const bare = separator === undefined ? text : text.replace(separator, "");
    const plain = (decimal === "," ? bare.replace(",", ".") : bare).replace("+", "");
    const value = Number(plain);
    if (!Number.isFinite(value)) throw new CellError("InvalidNumber", objection(text, settings));
    const mayChange = plain.length > surelyKept || /e/i.test(plain);
    if (mayChange && changesWhenRead(plain))
      throw new CellError(
        "ChangedNumber",
        `${quoted(text)} has more digits than a number keeps; make it text`,
      );
    return value;
  };
}

function objection(text: string, { decimal = ".", thousands }: NumberSettings): string {
  const what = `${quoted(text)} is not a number`;
  if (decimal === "." && /^[+-]?\d+,\d+$/.test(text))
    return `${what}; for a decimal comma give the column "decimal": ","`;
  if (thousands === undefined && /^[+-]?\d{1,3}(?:[.,' \u00A0\u202F\u2019]\d{3})+(?:[.,]\d+)?$/.test(text))
    return `${what}; for marks between thousands give the column "thousands"`;
  return what;
}
