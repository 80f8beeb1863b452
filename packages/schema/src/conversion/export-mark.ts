import { changesWhenRead } from "../operation-file/check/text-findings.ts";

/** The number of characters of a mark. */
export const exportMarkLength = 6;

/** Letters only: no mark, or marks side by side, are a number, a formula or a date to a spreadsheet. */
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * A mark of an exported value, by which a cell that comes back is known to be unedited. Values that a spreadsheet makes
 * of each other have one mark: `007` and 7, `true` and `TRUE`, kinds of line breaks.
 */
export function exportMark(value: unknown): string {
  let rest = hash53(canonical(value));
  let mark = "";
  for (let at = 0; at < exportMarkLength; at++) {
    mark += letters[rest % letters.length];
    rest = Math.floor(rest / letters.length);
  }
  return mark;
}

const number = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$/;

function canonical(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (number.test(value)) {
    const plain = value.replace("+", "");
    return changesWhenRead(plain) ? value : String(Number(plain));
  }
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase();
  return value.includes("\r") ? value.replace(/\r\n?/g, "\n") : value;
}

/** Two FNV-1a hashes with different primes, whose bits are mixed at the end. Not for secrets. */
function hash53(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9dc5811c];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5f356495);
  }
  low = mixed(low ^ (high >>> 15));
  high = mixed(high ^ (low >>> 13));
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}

function mixed(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

/** A text that a spreadsheet would take for a formula, with an apostrophe in front, which conversion takes away. */
export const guardedText = (text: string): string => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text);
