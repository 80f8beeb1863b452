import { dumpKindOf, keyFieldOf, nounOf } from "@lading/schema/internal";
import { type Differences, type Noun, wordsOf } from "./changes.ts";
import { type Comparison, itemNoun, nameOf, onlyInFrom } from "./comparison.ts";
import { definitions, usersFirst } from "./content-model.ts";
import { operation } from "./fields.ts";
import { type Operation, type RecordKind, recordKinds } from "./indexed-dump.ts";

/**
 * Kinds of entities in deletion order: each before those it references, except for flows, which come after their items.
 */
const deletedKinds: readonly RecordKind[] = recordKinds
  .toReversed()
  .flatMap((kind) => (kind === "flow" ? [] : kind === "item" ? [kind, "flow"] : [kind]));

/** Deletes entities that exist only in `from`, children before parents; without deletions, only counts them. */
export function* deletionsOf(comparison: Comparison): Differences {
  for (const kind of deletedKinds) {
    const [intent, id] = [`${nounOf(kind).intents.at(-1)}/delete`, keyFieldOf(kind)];
    if (kind === "flow") yield* endedStages(comparison);
    if (!comparison.isCompared(dumpKindOf(kind))) continue;
    for (const entity of onlyInFrom(comparison, kind)) {
      if (kind === "flow" && comparison.deletes && comparison.heldFlows.has(String(entity.identifier)))
        comparison.changes.remains("flows that keep items", nameOf(entity));
      else if (noted(comparison, kind === "item" ? itemNoun(entity) : wordsOf(kind), entity))
        yield operation(intent, { [id]: entity[id] });
      else if (kind === "item" && comparison.returning.has(String(entity.shapeIdentifier)))
        comparison.changes.remains("kept items that may get old content back", nameOf(entity));
    }
  }
}

/** Removes stages from flows, except from flows that keep items which are in no other flow. */
function* endedStages({ afterItems, heldFlows, changes }: Comparison): Differences {
  for (const { write, isUpdated } of afterItems) {
    const name = nameOf(write);
    if (heldFlows.has(name)) changes.remains("stages of flows that keep items", name);
    else {
      if (!isUpdated) changes.note("flow", "updated", name);
      yield write;
    }
  }
}

function noted({ changes, deletes, released }: Comparison, noun: Noun, entity: Operation): boolean {
  const kept = released.has(String(entity.itemId)) ? "released" : "left";
  changes.note(noun, deletes ? "deleted" : kept, nameOf(entity));
  return deletes;
}

/** Deletes shapes and pieces that exist only in `from`, each before those it uses. */
export function* modelDeletions(comparison: Comparison): Differences {
  const kept = definitions(comparison.to);
  for (const [key, step] of usersFirst(definitions(comparison.from))) {
    if (kept.has(key)) continue;
    const noun = step.intent === "shape/upsert" ? "shape" : "piece";
    if (noted(comparison, noun, step)) yield operation(`${noun}/delete`, { identifier: step.identifier });
  }
}
