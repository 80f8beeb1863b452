import { encoded, textOf } from "#platform";
import { isObject } from "../is-object.ts";
import { ownResult } from "../operation/envelope.ts";
import type { ReferenceValue } from "../templates/evaluate/template-scope.ts";
import { mayHaveTemplates } from "../templates/is-template.ts";
import { TemplateSyntaxError } from "../templates/parse/syntax-error.ts";
import { eachRead } from "./check/template-findings.ts";
import { locate } from "./read/locate.ts";
import { skipNested, skipScalar } from "./read/skip-value.ts";

/** The operation of a task that a file's operation repeats. */
export interface OperationSource {
  readonly task: string;
  readonly index: number;
}

/** Writes `_source` as an operation's first field, or replaces it. Leaves the rest unchanged. */
export const withSource = (text: string, source: OperationSource): string =>
  withField(text, "_source", source);

/**
 * Adds the results that an operation's templates read to its `_results`, limited to the properties they read. Omits
 * results of failed operations, and keeps existing ones.
 *
 * @param text the operation as JSON
 * @param result the result of an operation by its `_ref`; undefined for references to keep
 */
export function withResults(text: string, result: (name: string) => ReferenceValue | undefined): string {
  if (!mayHaveTemplates(text)) return text;
  const operation = JSON.parse(text);
  const results = new Map(Object.entries(operation._results ?? {}));
  for (const [name, properties] of readsOf(operation, text.length)) {
    const found = result(name);
    if (found === undefined || found.status === "failure" || !isObject(found.output)) continue;
    const read = Object.entries(found.output).filter(([property]) => properties.has(property));
    results.set(name, properties.has(undefined) ? found.output : Object.fromEntries(read));
  }
  const isChanged = results.size > Object.keys(operation._results ?? {}).length;
  return isChanged ? withField(text, "_results", Object.fromEntries(results)) : text;
}

/** The properties an operation reads of results it does not contain; undefined stands for all properties. */
function readsOf(operation: Record<string, unknown>, length: number): Map<string, Set<string | undefined>> {
  const reads = new Map<string, Set<string | undefined>>();
  eachRead(operation, length, (uses) => {
    if (uses === undefined || uses instanceof TemplateSyntaxError) return;
    for (const { name, path } of uses.references)
      if (ownResult(operation._results, name) === undefined)
        reads.set(name, (reads.get(name) ?? new Set()).add(path[0]));
  });
  return reads;
}

/** Writes an envelope field as the first one, or replaces its value. */
function withField(text: string, name: "_source" | "_results", content: unknown): string {
  const value = JSON.stringify(content);
  // The key may contain escapes.
  const written = /"_(?:source|results)"|\\u/.test(text) ? locate(text, [`/${name}`]).get(`/${name}`)! : 0;
  // A pointer to nothing yields the operation itself, at its start.
  if (written <= text.indexOf("{")) return text.replace("{", () => `{"${name}": ${value}, `);
  return text.slice(0, written) + value + text.slice(endOfValue(text, written));
}

function endOfValue(text: string, start: number): number {
  const bytes = encoded(text.slice(start));
  const scan = { depth: 0, deepest: 0, inString: false, escaped: false, lines: 0, keys: 0, values: 0 };
  const isScalar = !'"{['.includes(text[start]!);
  const length = isScalar ? skipScalar(bytes, 0) : skipNested(bytes, 0, scan);
  return start + textOf(bytes.subarray(0, length)).length;
}
