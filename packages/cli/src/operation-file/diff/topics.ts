import type { Differences } from "./changes.ts";
import { type Compared, type Comparison, comparedOf, nameOf } from "./comparison.ts";
import { fieldChanges, operation, same } from "./fields.ts";
import { operationsOf } from "./indexed-dump.ts";
import { KeyTable, keyOf } from "./key-table.ts";
import type { Operation } from "./records.ts";

/** Writes what differs in topics. One whose place another one still has gets it at the end. */
export function* topicDifferences(comparison: Comparison): Differences {
  const places = placesOf(comparison);
  for (const compared of comparedOf(comparison, "topic")) {
    const { before, found } = compared;
    const after = possible(comparison, places, compared);
    const moved = before?.[0]?.parentId !== after[0]?.parentId;
    const steps = before === undefined ? created(comparison, after) : updated(comparison, before, after);
    const contested = after.filter(
      (content) => holderOf(places, content, parentOf(after), found) !== undefined,
    );
    if (!moved && steps.length === 0) continue;
    for (const step of steps) {
      const isContested = contested.some(({ language }) => language === step.language);
      if (!isContested || step.pathIdentifier === undefined) yield step;
      else yield { ...step, pathIdentifier: temporary(step) };
    }
    for (const { topicId, language, pathIdentifier } of contested)
      if (moved || steps.some((step) => step.language === language))
        comparison.last.push(operation("topic/update", { topicId, language, pathIdentifier }));
  }
}

/** A topic with path identifiers that it can have: of those that a topic keeps which `to` lacks, it gets none. */
function possible(
  { matches, deletes, changes }: Comparison,
  places: KeyTable,
  { before, after, found }: Compared,
): readonly Operation[] {
  if (deletes) return after;
  return after.map((content) => {
    const holder = holderOf(places, content, parentOf(after), found);
    if (holder === undefined || matches.topic.isKept(holder)) return content;
    changes.remains("path identifiers of topics that another topic has", nameOf(content));
    const isThere = before !== undefined && parentOf(before) === parentOf(after);
    const stored = isThere ? before.find(({ language }) => language === content.language) : undefined;
    return { ...content, pathIdentifier: stored?.pathIdentifier ?? temporary(content) };
  });
}

/** A path identifier that no other topic has. */
const temporary = ({ topicId, language }: Operation) =>
  `${String(topicId)}-${String(language)}`.toLowerCase();

const parentOf = ([first]: readonly Operation[]) => String(first?.parentId ?? "");

/** The topic that has each path identifier under a parent in a language. */
function placesOf({ from }: Comparison): KeyTable {
  const places = new KeyTable();
  const records = from.records.topic;
  for (let number = 0; number < records.length; number++) {
    const operations = operationsOf(from, records, number);
    for (const content of operations) places.set(placeOf(content, parentOf(operations)), number);
  }
  return places;
}

const placeOf = ({ language, pathIdentifier }: Operation, parent: string) =>
  keyOf(parent, String(language), String(pathIdentifier));

/** The topic of `from` that has the place of another one. */
function holderOf(places: KeyTable, content: Operation, parent: string, own: number | undefined) {
  const holder = places.get(placeOf(content, parent));
  return holder === own ? undefined : holder;
}

function created({ changes }: Comparison, after: readonly Operation[]): readonly Operation[] {
  changes.note("topic", "created", nameOf(after[0]!));
  return after;
}

function updated(
  { changes }: Comparison,
  before: readonly Operation[],
  after: readonly Operation[],
): Operation[] {
  const [{ topicId }, name] = [before[0]!, nameOf(after[0]!)];
  const shared = fieldChanges("topic/update", sharedOf(before), sharedOf(after));
  const steps: Operation[] = [];
  let fields = shared.fields;
  for (const content of after) {
    const { language, name, pathIdentifier } = content;
    const stored = before.find((other) => other.language === language);
    const isSame = stored !== undefined && same([stored.name, stored.pathIdentifier], [name, pathIdentifier]);
    if (isSame && fields === undefined) continue;
    // The path identifier is given where the topic moves, or it could get another one.
    steps.push(operation("topic/update", { topicId, language, name, pathIdentifier, ...fields }));
    fields = undefined;
  }
  if (steps.length > 0) changes.note("topic", "updated", name);
  for (const field of shared.fixed) changes.remains(`${field} of topics, which no operation removes`, name);
  for (const { language } of before)
    if (!after.some((content) => content.language === language))
      changes.remains("languages of topics, which no operation removes", `${name} (${String(language)})`);
  return steps;
}

const sharedOf = ([first]: readonly Operation[]) => {
  const { displayColor, parentId, resourceIdentifier, meta } = first!;
  return Object.fromEntries(
    Object.entries({ displayColor, parentId, resourceIdentifier, meta }).filter(
      ([, value]) => value !== undefined,
    ),
  );
};
