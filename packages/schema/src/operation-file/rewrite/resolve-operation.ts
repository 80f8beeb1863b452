import { isObject } from "../../is-object.ts";
import type { JsonPath } from "../../problems/json-pointer.ts";
import type { ReferenceValue } from "../../templates/evaluate/template-scope.ts";
import { mayHaveTemplates } from "../../templates/is-template.ts";
import { parsingAllowance } from "../../templates/parse/parsing-allowance.ts";
import { type Resolution, resolveTemplate } from "../../templates/resolve/resolve-template.ts";
import { eachTemplate } from "../check/template-strings.ts";

/**
 * Puts results into an operation's templates, see `resolveTemplate`.
 *
 * @param text the operation as JSON
 * @param result the result of an operation by its `_ref`; undefined for names that stay references
 * @returns the text itself if nothing changes, otherwise new JSON
 */
export function resolveOperation(text: string, result: (name: string) => ReferenceValue | undefined): string {
  if (!mayHaveTemplates(text)) return text;
  const operation: unknown = JSON.parse(text);
  const resolution: Resolution = { result, steps: 0, output: 0 };
  const allowed = parsingAllowance(text.length);
  let changed = false;
  let refused = false;
  eachTemplate(operation, (template, path) => {
    // An operation with too many templates to parse would also fail in a run.
    refused ||= !allowed(template);
    const resolved = refused ? template : resolveTemplate(template, resolution);
    if (resolved === template) return;
    changed = true;
    replace(operation, path, resolved);
  });
  return changed ? JSON.stringify(operation) : text;
}

function replace(operation: unknown, path: JsonPath, text: string): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], operation);
  if (Array.isArray(holder) || isObject(holder)) Reflect.set(holder, path.at(-1)!, text);
}
