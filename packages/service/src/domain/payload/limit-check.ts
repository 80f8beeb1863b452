import type { JsonPath } from "@lading/schema";
import { type Problem, rejectAll } from "../../errors.ts";

/** Collects the broken limits of a payload; `end` rejects with all of them, if there are any. */
export interface LimitCheck {
  /** Checks the length of a text in UTF-16 units; null and undefined pass. */
  length(text: string | null | undefined, limits: { min?: number; max: number }, path: JsonPath): void;
  /** Checks the number of members of a list; null and undefined pass. */
  count(list: readonly unknown[] | null | undefined, max: number, path: JsonPath): void;
  /** Checks that a number is between two others; undefined passes. */
  range(number: number | undefined, limits: { min: number; max: number }, path: JsonPath): void;
  add(message: string, path: JsonPath): void;
  /** Rejects with `ValidationError` if any limit is broken. */
  end(): void;
}

/** `["variants", 0, "sku"]` → `variants[0].sku` */
export const pathText = (path: JsonPath): string =>
  path.map((part, i) => (typeof part === "number" ? `[${part}]` : i === 0 ? part : `.${part}`)).join("");

export function limitCheck(): LimitCheck {
  const errors: Problem[] = [];
  const add = (message: string, path: JsonPath) => {
    errors.push({ code: "OutOfRange", message, path });
  };
  return {
    add,
    length(text, { min = 0, max }, path) {
      if (text === null || text === undefined || (text.length >= min && text.length <= max)) return;
      const range = text.length < min ? `at least ${min}` : `at most ${max}`;
      add(`${pathText(path)} has ${text.length} characters; the limit is ${range}`, path);
    },
    count(list, max, path) {
      if (list && list.length > max) add(`${pathText(path)} lists ${list.length}; the limit is ${max}`, path);
    },
    range(number, { min, max }, path) {
      if (number === undefined || (number >= min && number <= max)) return;
      add(`${pathText(path)} is ${number}; use a number from ${min} to ${max}`, path);
    },
    end() {
      if (errors.length > 0) rejectAll("ValidationError", errors);
    },
  };
}

/** The longest text that can be a key, in UTF-16 units: an entry of a B-tree index has room for 2,704 bytes. */
export const keyLength = { max: 512 };

/** Collects the members of a list whose key an earlier member has. */
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
