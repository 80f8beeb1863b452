import { expect } from "vitest";
import { check, fileOf } from "./files.ts";

export type Fields = Record<string, unknown>;

export const item = {
  name: "x",
  language: "en",
  shapeIdentifier: "s",
  tree: { parentId: "{{ defaults.rootItemId }}" },
};

export const folder = (ref: string, fields: Fields = {}) =>
  JSON.stringify({ intent: "folder/create", _ref: ref, ...item, ...fields });

export const reader = (name: string, fields: Fields = {}) =>
  JSON.stringify({ intent: "customer/create", identifier: "c", firstName: name, ...fields });

/** The warnings of a file as `code index`. */
export async function warnings(...operations: string[]): Promise<string[]> {
  const { issues, errorCount } = await check(fileOf(...operations));
  expect(errorCount).toBe(0);
  return issues.map(({ code, operationIndex }) => `${code} ${operationIndex}`);
}
