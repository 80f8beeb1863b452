import { isObject } from "../../is-object.ts";
import { problemLimit } from "../../schema-walk/problems-in.ts";
import { type JsonVisitor, walkJson } from "../read/json-walk.ts";
import type { Finding } from "../report/issue.ts";

/** Escapes that may stand for what no database column takes: NUL, and halves of surrogate pairs. */
const suspiciousEscape = /\\u(?:0000|[dD][89a-fA-F])/;
/** Numbers that parsing may change: of more than 15 digits, or with an exponent. */
const suspiciousNumber = /[:,[]\s*-?(?:[\d.]{16}|[\d.]+[eE])/;

/**
 * Finds what parsing hides in a valid JSON text: repeated keys, numbers that change, and escapes for text
 * that cannot be stored. Three quick tests clear nearly every text; the others are walked.
 *
 * @param keys the number of keys in the text
 * @param value the parsed text
 * @returns at most `problemLimit` errors and as many warnings
 */
export function textFindings(text: string, keys: number, value: unknown): Finding[] {
  const suspicious = suspiciousEscape.test(text) || suspiciousNumber.test(text) || keys !== countKeys(value);
  if (!suspicious) return [];
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  walkJson(text, Number.POSITIVE_INFINITY, visitorOf(text, errors, warnings));
  return [...errors, ...warnings];
}

function visitorOf(text: string, errors: Finding[], warnings: Finding[]): JsonVisitor {
  return {
    string: (start, end, pointer) => {
      for (const found of unstorable(text, start, end)) {
        if (errors.length >= problemLimit) return;
        errors.push({ severity: "error", ...found, pointer });
      }
    },
    number: (at, end, pointer) => {
      const literal = text.slice(at, end);
      if (warnings.length >= problemLimit || !changesWhenRead(literal)) return;
      const message = Number.isFinite(Number(literal))
        ? `is read as ${Number(literal)}; write it with fewer digits, or as a string where one is allowed`
        : "is a number too large to be read (beyond 1.8e308); write it as a string where one is allowed";
      warnings.push({ severity: "warning", code: "ChangedNumber", message, pointer, at });
    },
    repeatedKey: (at, pointer) => {
      if (warnings.length >= problemLimit) return;
      const message = "this key is repeated; the last one counts";
      warnings.push({ severity: "warning", code: "DuplicateKey", message, pointer, at });
    },
  };
}

function countKeys(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) for (const member of value) count += countKeys(member);
  else if (isObject(value)) for (const key in value) count += 1 + countKeys(value[key]);
  return count;
}

/** The escapes in a string that stand for NUL or for half of a surrogate pair, which only an escape can express. */
function* unstorable(text: string, start: number, end: number) {
  for (let at = text.indexOf("\\", start); at !== -1 && at < end; at = text.indexOf("\\", at)) {
    const unit = text[at + 1] === "u" ? Number.parseInt(text.slice(at + 2, at + 6), 16) : undefined;
    const paired = isHigh(unit) && /^\\u[dD][c-fC-F]/.test(text.slice(at + 6, at + 10));
    if (unit === 0) {
      yield { code: "NulCharacter", message: "contains \\u0000, which cannot be stored", at };
    } else if (!paired && unit !== undefined && unit >= 0xd800 && unit <= 0xdfff) {
      yield {
        code: "UnpairedSurrogate",
        message: "contains half of a surrogate pair, which cannot be stored",
        at,
      };
    }
    at += paired ? 12 : unit === undefined ? 2 : 6;
  }
}

const isHigh = (unit: number | undefined) => unit !== undefined && unit >= 0xd800 && unit <= 0xdbff;

/** Tests if a JSON number changes when it is parsed and written again. */
export function changesWhenRead(literal: string): boolean {
  const value = Number(literal);
  return !Number.isFinite(value) || decimal(literal) !== decimal(String(value));
}

/** A number's digits without leading or trailing zeros, and the exponent of the last one. */
function decimal(literal: string): string {
  const [mantissa = "", exponent = "0"] = literal.replace(/^-/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  let [first, end] = [0, digits.length];
  while (digits[first] === "0") first++;
  while (end > first && digits[end - 1] === "0") end--;
  if (first === end) return "0";
  return `${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
