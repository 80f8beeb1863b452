import { isObject } from "../../is-object.ts";
import { isEnvelopeField } from "../../operation/schemas.ts";
import type { JsonPath } from "../../problems/json-pointer.ts";
import { hasTemplate } from "../../templates/is-template.ts";

type Visit = (template: string, path: JsonPath) => void;

/**
 * Visits an operation's strings that are templates. Envelope fields are never rendered. The path changes
 * after the visit, so copy it to keep it.
 */
export function eachTemplate(operation: unknown, visit: Visit): void {
  if (!isObject(operation)) return;
  const path: (string | number)[] = [];
  for (const key in operation) if (!isEnvelopeField(key)) visitMember(operation[key], key, path, visit);
}

function visitStrings(value: unknown, path: (string | number)[], visit: Visit): void {
  if (typeof value === "string") {
    if (hasTemplate(value)) visit(value, path);
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) visitMember(value[index], index, path, visit);
  } else if (isObject(value)) {
    for (const key in value) visitMember(value[key], key, path, visit);
  }
}

function visitMember(member: unknown, key: string | number, path: (string | number)[], visit: Visit): void {
  path.push(key);
  visitStrings(member, path, visit);
  path.pop();
}
