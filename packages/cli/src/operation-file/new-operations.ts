import { didYouMean, intentNames, isIntent, skeletonOf } from "@lading/schema/internal";
import { CliError } from "../exit.ts";

/**
 * Makes operations to fill in, each with a `_ref` of its own.
 * @param taken the `_ref`s that the file has already
 * @throws CliError when there is no such intent
 */
export function newOperations(intents: readonly string[], taken: Iterable<unknown>): object[] {
  const unknown = intents.filter((intent) => !isIntent(intent));
  if (unknown.length > 0) throw new CliError(unknown.map(explain));
  const names = new Set(taken);
  return intents.filter(isIntent).map((name) => {
    const { intent, ...fields } = skeletonOf(name);
    return { intent, _ref: freeName(name, names), ...fields };
  });
}

function explain(unknown: string): string {
  const advice = didYouMean(unknown, intentNames, 1);
  return `"${unknown}" is not an intent${advice === undefined ? "" : `; ${advice}`}`;
}

/** Returns `productUpsert` for `product/upsert`, then `productUpsert2`, and adds it to the names. */
function freeName(intent: string, names: Set<unknown>): string {
  const base = intent.replace(/[^a-zA-Z]+(.)/g, (_, letter: string) => letter.toUpperCase());
  let name = base;
  for (let count = 2; names.has(name); count++) name = `${base}${count}`;
  names.add(name);
  return name;
}
