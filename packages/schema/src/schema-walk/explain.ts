import type { z } from "zod";
import { asSentence, describe, didYouMean, someOf } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { formOf } from "./forms.ts";

type ZodIssue = z.core.$ZodIssue;

/** The field containing a value: the last part of its path, and its schema if known. */
export interface Field {
  readonly key: string | number | undefined;
  readonly schema?: z.ZodType | undefined;
}

/** Words an issue found by zod. If no branch of a union matches, the first branch's issue counts. */
export function explain(issue: ZodIssue, value: unknown, field: Field): Omit<Problem, "path"> {
  if (issue.code === "invalid_union") {
    const [[first] = []] = issue.errors;
    return first ? explain(first, value, field) : { code: "InvalidValue", message: issue.message };
  }
  return explainPlain(issue, value, field);
}

function explainPlain(issue: ZodIssue, value: unknown, field: Field): Omit<Problem, "path"> {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue.expected, value, field);
    case "invalid_value":
      return wrongChoice(issue.values, value, field);
    case "too_small":
      return { code: "OutOfRange", message: tooSmall(issue, value) };
    case "too_big":
      return { code: "OutOfRange", message: tooBig(issue, value) };
    case "custom":
      return { code: codeIn(issue.params) ?? "InvalidValue", message: issue.message };
    default:
      return { code: "InvalidValue", message: issue.message };
  }
}

const codeIn = (params: Readonly<Record<string, unknown>> = {}) =>
  typeof params.code === "string" ? params.code : undefined;

const typeNames: Readonly<Record<string, string>> = { int: "whole number", record: "object" };

function wrongType(type: string, value: unknown, field: Field) {
  if (type !== "array" && type !== "object")
    return mismatch("WrongType", typeNames[type] ?? type, value, field.key);
  const form = formOf(type, field.schema);
  if (value === undefined || typeof field.key !== "string")
    return mismatch("WrongType", form, value, field.key);
  return { code: "WrongType", message: `"${field.key}" expects ${form}, got ${describe(value)}` };
}

function mismatch(code: string, expected: string, value: unknown, key: Field["key"]) {
  if (value !== undefined) return { code, message: `expected ${expected}, got ${describe(value)}` };
  const what = typeof key === "string" ? `"${key}" is missing` : "missing";
  return { code: "MissingField", message: `${what}: expected ${expected}` };
}

function wrongChoice(values: readonly unknown[], value: unknown, { key }: Field) {
  const texts = values.filter((one) => typeof one === "string");
  const advice = typeof value === "string" && texts.length > 1 ? didYouMean(value, texts, 1) : undefined;
  const { code, message } = mismatch("InvalidValue", oneOf(values), value, key);
  return { code, message: advice === undefined ? message : `${advice} ${asSentence(message).trim()}` };
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? someOf(values) : `one of ${someOf(values)}`;

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
