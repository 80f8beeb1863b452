import { encoded, textOf } from "#platform";
import { isObject } from "../is-object.ts";
import { ownResult } from "../operation/envelope.ts";
import type { ReferenceValue } from "../templates/evaluate/template-scope.ts";
import { mayHaveTemplates } from "../templates/is-template.ts";
import { TemplateSyntaxError } from "../templates/parse/syntax-error.ts";
import { eachRead } from "./check/template-findings.ts";
import { locate } from "./read/locate.ts";
import { skipNested, skipScalar } from "./read/skip-value.ts";

/** The task's operation that an operation of a file repeats. */
export interface OperationSource {
  readonly task: string;
  readonly index: number;
}

/** Writes `_source` as an operation's first field, or replaces an existing one. The rest stays as it is. */
export const withSource = (text: string, source: OperationSource): string =>
  withField(text, "_source", source);

/**
 * Adds the results that an operation's templates read to its `_results`, with the properties that they read. Results
 * of failed operations are not written, and those that it has stay as they are.
 *
 * @param text the operation as JSON
 * @param result the result of an operation by its `_ref`; undefined for names that stay references
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

/** The properties that an operation reads of results that it does not have; undefined stands for all of them. */
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

/** Writes a field of the envelope first, or replaces its value. */
function withField(text: string, name: "_source" | "_results", content: unknown): string {
  const value = JSON.stringify(content);
  // A key may have escapes.
  const written = /"_(?:source|results)"|\\u/.test(text) ? locate(text, [`/${name}`]).get(`/${name}`)! : 0;
  // A pointer to nothing leads to the operation itself, at the beginning.
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
