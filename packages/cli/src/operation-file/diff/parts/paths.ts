import type { Differences } from "../changes.ts";
import type { Comparison } from "../comparison.ts";
import { operation } from "../fields.ts";
import type { ItemComparison } from "../items/items.ts";
import type { Operation } from "../records.ts";
import { KeptPaths } from "./kept-paths.ts";
import { type Part, type PartDifference, partDifferences } from "./parts.ts";

/** Finds the aliases that differ: those that go are written into `first`, those that come into `last`. */
export function aliasDifferences(comparison: Comparison): void {
  const { changes, deletes, first, last } = comparison;
  const added = new Set<string>();
  let kept: KeptPaths | undefined;
  for (const { change, part } of aliasesThatDiffer(comparison)) {
    const { itemId, language, paths } = part.write;
    if (change === "created") {
      kept ??= new KeptPaths(comparison);
      const objection = kept.objection(part.write);
      if (objection !== undefined) {
        changes.remains(objection, part.name);
        continue;
      }
      added.add(part.name);
      changes.note("alias", "created", part.name);
      last.push(part.write);
    } else if (deletes || added.has(part.name)) {
      changes.note("alias", "deleted", part.name);
      first.push(operation("item/paths/removeAliases", { itemId, language, paths }));
    } else changes.note("alias", "left", part.name);
  }
}

/** Finds the aliases that differ. Those that the dump of `from` leaves out are there; what both leave out stays. */
function* aliasesThatDiffer(comparison: Comparison): Generator<PartDifference> {
  const { from, to, translate } = comparison;
  const omitted = new Map(from.omittedAliases.map((write) => [aliasOf(write).key, aliasOf(write)]));
  const outOfBoth = new Set(to.omittedAliases.map((write) => aliasOf(translate(write)).key));
  const split = (write: Operation) => [aliasOf(write)];
  for (const difference of partDifferences(comparison, "item/paths/addAliases", split)) {
    const isThere = difference.change === "created" && omitted.delete(difference.part.key);
    if (!isThere) yield difference;
  }
  for (const part of omitted.values()) if (!outOfBoth.has(part.key)) yield { change: "deleted", part };
}

function aliasOf(write: Operation): Part {
  const { itemId, language, paths } = write;
  const name = `${(paths as string[]).join()} (${String(language)})`;
  return { key: `${String(itemId)}\0${name}`, value: "", name, write };
}

/**
 * Writes former paths that differ, or may not be there any more. An item that got another path has one more by that,
 * and what got a path took it out of all histories. Without deletions paths are added alone.
 */
export function* historyDifferences(
  comparison: Comparison,
  { renamed, taken }: Pick<ItemComparison, "renamed" | "taken">,
): Differences {
  const { changes, deletes } = comparison;
  const split = (write: Operation) => (deletes ? [historyOf(write)] : formerPathsOf(write));
  const mayBeLost = ({ write: { itemId, language, paths } }: Part) =>
    (deletes && renamed.get(String(itemId))?.has(String(language))) ||
    (paths as string[]).some((path) => taken.mayHave(path));
  const differences = partDifferences(comparison, "item/paths/setHistory", split, mayBeLost);
  for (const { change, part, isUncertain } of differences) {
    const { itemId, language } = part.write;
    if (change === "deleted" && !deletes) changes.note("former path", "left", part.name);
    if (change === "deleted" && (!deletes || !isItemKept(comparison, String(itemId)))) continue;
    if (!isUncertain) changes.note("former path", change, part.name);
    renamed.get(String(itemId))?.delete(String(language));
    yield change === "deleted"
      ? operation("item/paths/setHistory", { itemId, language, paths: [] })
      : part.write;
  }
  if (!deletes) return;
  for (const [itemId, languages] of renamed)
    for (const language of languages)
      yield operation("item/paths/setHistory", { itemId, language, paths: [] });
}

function isItemKept({ from, matches }: Comparison, itemId: string): boolean {
  const number = from.records.item.withId(itemId);
  return number !== undefined && matches.item.isKept(number);
}

function historyOf(write: Operation): Part {
  const name = `${String(write.itemId)} (${String(write.language)})`;
  return { key: name, value: JSON.stringify(write.paths), name, write };
}

const formerPathsOf = ({ itemId, language, paths }: Operation): Part[] =>
  (paths as string[]).map((path) => ({
    ...{
      key: `${String(itemId)}\0${String(language)}\0${path}`,
      value: "",
      name: `${path} (${String(language)})`,
    },
    write: operation("item/paths/addHistory", { itemId, language, paths: [path] }),
  }));
