import type { JsonPath } from "@lading/schema";
import { type Problem, rejectAll } from "../../errors.ts";

/**
 * Collects a payload's broken limits; `end` rejects with all of them, if any. A value is at a path, or under a key of
 * it: the two are joined only for a broken limit.
 */
export interface LimitCheck {
  /** Checks the length of a text in UTF-16 units; null and undefined pass. */
  length(
    text: string | null | undefined,
    limits: { min?: number; max: number },
    path: JsonPath,
    key?: string,
  ): void;
  /** Checks the number of members of a list; null and undefined pass. */
  count(list: readonly unknown[] | null | undefined, max: number, path: JsonPath, key?: string): void;
  /** Checks that a number is between two others; undefined passes. */
  range(number: number | undefined, limits: { min: number; max: number }, path: JsonPath, key?: string): void;
  add(message: string, path: JsonPath): void;
  /** Rejects with `ValidationError` if any limit is broken. */
  end(): void;
}

/** `["variants", 0, "sku"]` → `variants[0].sku` */
export const pathText = (path: JsonPath): string =>
  path.map((part, i) => (typeof part === "number" ? `[${part}]` : i === 0 ? part : `.${part}`)).join("");

const joined = (path: JsonPath, key: string | undefined): JsonPath =>
  key === undefined ? path : [...path, key];

export function limitCheck(): LimitCheck {
  const errors: Problem[] = [];
  const add = (message: string, path: JsonPath) => {
    errors.push({ code: "OutOfRange", message, path });
  };
  return {
    add,
    length(text, { min = 0, max }, path, key) {
      if (text === null || text === undefined || (text.length >= min && text.length <= max)) return;
      const range = text.length < min ? `at least ${min}` : `at most ${max}`;
      const at = joined(path, key);
      add(`${pathText(at)} has ${text.length} characters; the limit is ${range}`, at);
    },
    count(list, max, path, key) {
      if (!list || list.length <= max) return;
      const at = joined(path, key);
      add(`${pathText(at)} lists ${list.length}; the limit is ${max}`, at);
    },
    range(number, { min, max }, path, key) {
      if (number === undefined || (number >= min && number <= max)) return;
      const at = joined(path, key);
      add(`${pathText(at)} is ${number}; use a number from ${min} to ${max}`, at);
    },
    end() {
      if (errors.length > 0) rejectAll("ValidationError", errors);
    },
  };
}

/** The longest key text, in UTF-16 units: a B-tree index entry has room for 2,704 bytes. */
export const keyLength = { max: 512 };

/** Collects the members of a list that repeat an earlier member's key. */
export function checkOnce<Key extends string>(
  check: LimitCheck,
  list: readonly { readonly [Name in Key]: string }[] | null | undefined,
  key: Key,
  path: JsonPath,
): void {
  if (!list || list.length < 2) return;
  const seen = new Set<string>();
  list.forEach(({ [key]: name }, i) => {
    if (seen.has(name)) check.add(`"${name}" occurs twice in ${path.at(-1)}`, [...path, i]);
    seen.add(name);
  });
}
