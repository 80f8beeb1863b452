import type { z } from "zod";
import { nearest } from "./nearest.ts";
import { describe } from "./values.ts";

/** What is wrong at one place of a payload. `path` leads there from the payload's root; see {@link errorText}. */
export interface PayloadError {
  /** MissingField, WrongType, InvalidValue, OutOfRange, UnknownField, UnknownIntent, UnstorableText … */
  code: string;
  /** What is wrong there and what would be right. The place itself is not named. */
  message: string;
  path: (string | number)[];
}

type ZodIssue = z.core.$ZodIssue;

/** What zod found wrong with a value. Of a value that matches no branch of a union, the first branch's issue counts. */
export function explain(issue: ZodIssue, value: unknown): Omit<PayloadError, "path"> {
  if (issue.code === "invalid_union") {
    const [[first] = []] = issue.errors;
    return first ? explain(first, value) : { code: "InvalidValue", message: issue.message };
  }
  return explainPlain(issue, value);
}

function explainPlain(issue: ZodIssue, value: unknown): Omit<PayloadError, "path"> {
  switch (issue.code) {
    case "invalid_type":
      return mismatch("WrongType", typeNames[issue.expected] ?? issue.expected, value);
    case "invalid_value":
      return wrongChoice(issue.values, value);
    case "too_small":
      return { code: "OutOfRange", message: tooSmall(issue, value) };
    case "too_big":
      return { code: "OutOfRange", message: tooBig(issue, value) };
    case "custom":
      return { code: (issue.params?.code as string | undefined) ?? "InvalidValue", message: issue.message };
    default:
      return { code: "InvalidValue", message: issue.message };
  }
}

const typeNames: Readonly<Record<string, string>> = { array: "list", int: "whole number" };

function mismatch(code: string, expected: string, value: unknown) {
  if (value === undefined) return { code: "MissingField", message: `missing, expected ${expected}` };
  return { code, message: `expected ${expected}, got ${describe(value)}` };
}

function wrongChoice(values: readonly unknown[], value: unknown) {
  const { code, message } = mismatch("InvalidValue", oneOf(values), value);
  const texts = values.filter((one) => typeof one === "string");
  const [best] = typeof value === "string" && texts.length > 1 ? nearest(value, texts) : [];
  return {
    code,
    message: best === undefined ? message : `${message}; did you mean ${JSON.stringify(best)}?`,
  };
}

function oneOf(values: readonly unknown[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  return quoted.length === 1 ? quoted[0]! : `one of ${quoted.join(", ")}`;
}

function tooSmall(issue: z.core.$ZodIssueTooSmall, value: unknown): string {
  if (issue.origin === "string" && value === "") return "must not be empty";
  const bound = issue.inclusive ? `at least ${issue.minimum}` : `more than ${issue.minimum}`;
  return `expected ${bound}${unitOf(issue.origin)}, got ${sizeOf(value)}`;
}

function tooBig(issue: z.core.$ZodIssueTooBig, value: unknown): string {
  const bound = issue.inclusive ? `at most ${issue.maximum}` : `less than ${issue.maximum}`;
  return `expected ${bound}${unitOf(issue.origin)}, got ${sizeOf(value)}`;
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " in the list" : "";
}

function sizeOf(value: unknown): string {
  return typeof value === "string" || Array.isArray(value) ? String(value.length) : String(value);
}

/** An error with its place, for people: `/variants/0/sku: missing, expected string`. */
export function errorText({ path, message }: PayloadError): string {
  return path.length === 0 ? message : `${toPointer(path)}: ${message}`;
}

/** A path as a JSON pointer (RFC 6901). */
export function toPointer(path: readonly (string | number)[]): string {
  let pointer = "";
  for (const key of path) pointer += `/${typeof key === "string" && /[~/]/.test(key) ? escaped(key) : key}`;
  return pointer;
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
