import { sum } from "./blocks.ts";
import type { Measured } from "./growing.ts";

/** The queries and operations that may grow with the tenant, by their names in docs/limits.md. */
export const exceptions: Readonly<Record<string, RegExp>> = {
  "`totalCount` of a list": / totalCount$/,
  "`position` of an item": / position$/,
  "`childCount` of a customer": / childCount$/,
  "`usage` of a tenant": /^tenant.* usage$/,
  "A search": /^search\(/,
  "A filter of published items":
    /^items\(.*version: published, filter: \{(?:type|shapeIdentifier|parentItemId)/,
  "Customers and orders by a key without a value":
    /externalReference: \{key: "\w+"\}|meta: \[\{key: "\w+"\}\]/,
  "Contracts by `state`": /^subscriptionContracts\(filter: \{state/,
  "Filters and groups of a task's log": /^operationLogs\(filter: \{operationId: "\w+", |^bulkTask\(/,
  "Tasks by `text`": /^bulkTasks\(filter: \{text/,
  "`taskOverview`": /^taskOverview/,
  "A deletion that is refused because of what is left": /: \w+(?:InUse|HasChildren)Error$/,
  "Deleting a setting": /^setting /,
  "Deleting a folder that has shortcuts": /^item\/delete .*: deleted$/,
  "Moving or renaming a folder": /^folder\/(?:update|upsert) .*: updated$/,
};

/**
 * The blocks that may be read of the larger of two tenants: twice as many, since indexes are higher, some of small
 * tables that are read as a whole, and one for this number of characters by which the answer is longer.
 */
const allowed = { factor: 2, characters: 12 };

/** Milliseconds in which everything ends: a join in memory may take minutes, and reads no blocks. */
const mostMilliseconds = 30_000;

/** A line for each query or operation that has grown with the tenant, by its name. */
export function grownWith(
  small: ReadonlyMap<string, Measured>,
  large: ReadonlyMap<string, Measured>,
  slack: number,
): Map<string, string> {
  const grown = new Map<string, string>();
  for (const [name, { blocks, length, milliseconds }] of large) {
    const before = small.get(name);
    if (before === undefined) throw new Error(`${name} had another outcome in the smaller tenant`);
    const [from, to] = [sum(before.blocks), sum(blocks)];
    const most = from * allowed.factor + slack + Math.max(0, length - before.length) / allowed.characters;
    const [first, second] = [...blocks].sort(([, one], [, other]) => other - one);
    const read = [first, second].map((one) => one && `${one[1]} of ${one[0]}`).join(", ");
    if (to > most) grown.set(name, `${name} reads ${to} blocks, not ${from}: ${read}`);
    else if (milliseconds > mostMilliseconds) grown.set(name, `${name} takes ${Math.round(milliseconds)} ms`);
  }
  return grown;
}
