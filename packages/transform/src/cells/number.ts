import { changesWhenRead, quoted } from "@lading/schema/internal";
import { CellError } from "../issues.ts";

interface NumberSettings {
  readonly decimal?: "." | "," | undefined;
  readonly thousands?: "." | "," | " " | "'" | undefined;
  readonly factor?: number | undefined;
  readonly divisor?: number | undefined;
  readonly round?: number | undefined;
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
  const scaled = scaler(settings);
  return (cell) => {
    if (typeof cell === "number") return scaled(cell);
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
    return scaled(value);
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

/** Makes the arithmetic of a column, in decimals: 1999 times 0.01 is 19.99. */
function scaler({ factor = 1, divisor = 1, round }: NumberSettings): (value: number) => number {
  if (factor === 1 && divisor === 1 && round === undefined) return (value) => value;
  const [by, through] = [decimalOf(factor), decimalOf(divisor)];
  const sign = through.digits < 0n ? -1n : 1n;
  const denominator = sign * through.digits;
  return (value) => {
    const { digits, exponent } = decimalOf(value);
    const numerator = sign * digits * by.digits;
    const scale = exponent + by.exponent - through.exponent;
    const result =
      round === undefined
        ? `${numerator}e${scale}`
        : `${rounded(numerator, denominator, scale + round)}e-${round}`;
    const mayChange = result.length > surelyKept || Math.abs(scale) > 100;
    if (mayChange && changesWhenRead(result)) {
      const advice = round === undefined ? '; give the column "round"' : "";
      throw new CellError("ChangedNumber", `${value} becomes a number of more digits than are kept${advice}`);
    }
    return Number(result);
  };
}

/** A number as its shortest decimal text has it: digits × 10^exponent. */
function decimalOf(value: number): { digits: bigint; exponent: number } {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** numerator / denominator × 10^scale as a whole number, half of one away from zero. */
function rounded(numerator: bigint, denominator: bigint, scale: number): bigint {
  const shift = 10n ** BigInt(Math.abs(scale));
  const [above, below] = scale < 0 ? [numerator, denominator * shift] : [numerator * shift, denominator];
  return (2n * above + (above < 0n ? -below : below)) / (2n * below);
}
