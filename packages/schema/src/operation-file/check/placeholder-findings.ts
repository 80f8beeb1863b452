import { isObject } from "../../is-object.ts";
import { isPlaceholder } from "../../operation/skeleton.ts";
import { type JsonPath, toPointer } from "../../problems/json-pointer.ts";
import { problemLimit } from "../../schema-walk/problems-in.ts";
import type { Finding } from "../report/issue.ts";

/**
 * Warns of placeholders left from `lading mass-operation init`.
 *
 * @returns at most `problemLimit` findings
 */
export function placeholderFindings(operation: unknown): Finding[] {
  const findings: Finding[] = [];
  visit(operation, "", [], findings);
  return findings;
}

function visit(value: unknown, field: string, path: JsonPath, findings: Finding[]): void {
  if (findings.length >= problemLimit) return;
  if (typeof value === "string") {
    if (isPlaceholder(value, field)) findings.push(placeholder(value, path));
  } else if (Array.isArray(value))
    for (const [i, one] of value.entries()) visit(one, field, [...path, i], findings);
  else if (isObject(value)) for (const key in value) visit(value[key], key, [...path, key], findings);
}

const placeholder = (text: string, path: JsonPath): Finding => ({
  severity: "warning",
  code: "Placeholder",
  message: `"${text}" is a placeholder: put the value here`,
  pointer: toPointer(path),
});
