import type { Differences } from "./changes.ts";
import { type Compared, type Comparison, comparedAs, comparedOf, nameOf } from "./comparison.ts";
import { fieldChanges, operation, same } from "./fields.ts";
import { type Operation, operationsOf } from "./indexed-dump.ts";
import { type Key, KeyTable, keyOf } from "./key-table.ts";

/** Writes the differences in topics. A topic whose location is still taken gets it at the end. */
export function* topicDifferences(comparison: Comparison): Differences {
  const locations = new TopicLocations(comparison);
  for (const compared of comparedOf(comparison, "topic")) {
    const { before, found } = compared;
    const after = possible(comparison, locations, compared);
    const moved = before?.[0]?.parentId !== after[0]?.parentId;
    if (before === undefined) comparison.changes.note("topic", "created", nameOf(after[0]!));
    const steps = before === undefined ? after : updated(comparison, before, after);
    const isContested = (content: Operation) =>
      locations.holderOf(content, parentOf(after), found) !== undefined;
    const contested = new Map(after.filter(isContested).map((content) => [content.language, content]));
    if (!moved && steps.length === 0) continue;
    yield* clearances(locations, compared);
    for (const step of steps)
      yield contested.has(step.language) && step.pathIdentifier !== undefined
        ? { ...step, pathIdentifier: temporary(step) }
        : step;
    for (const { topicId, language, pathIdentifier } of contested.values())
      if (moved || steps.some((step) => step.language === language))
        comparison.last.push(operation("topic/update", { topicId, language, pathIdentifier }));
  }
}

/** A topic with available path identifiers: it keeps its own where another topic keeps the wanted one. */
function possible(
  { changes }: Comparison,
  locations: TopicLocations,
  { before, after, found }: Compared,
): readonly Operation[] {
  return after.map((content) => {
    if (!locations.isTaken(content, parentOf(after), found)) return content;
    changes.remains("path identifiers of topics, taken by another topic", nameOf(content));
    const pathIdentifier = staying({ before, after }, content.language)?.pathIdentifier ?? temporary(content);
    return { ...content, pathIdentifier };
  });
}

/** Moves a topic's path identifiers out of the way of others, in languages that `to` lacks. */
function* clearances(locations: TopicLocations, { before = [], after }: Compared): Differences {
  if (parentOf(before) === parentOf(after)) return;
  for (const content of lackedIn(after, before)) {
    const { topicId, language } = content;
    if (locations.isWanted(content, parentOf(after)))
      yield operation("topic/update", { topicId, language, pathIdentifier: temporary(content) });
  }
}

/** A path identifier that no other topic has. */
const temporary = ({ topicId }: Operation) => String(topicId);

const parentOf = ([first]: readonly Operation[]) => String(first?.parentId ?? "");

const lackedIn = (after: readonly Operation[], before: readonly Operation[]) =>
  before.filter(({ language }) => !after.some((content) => content.language === language));

/** The topic's content in a language, unless the topic moves. */
const staying = ({ before, after }: Pick<Compared, "before" | "after">, language: unknown) =>
  before && parentOf(before) === parentOf(after)
    ? before.find((content) => content.language === language)
    : undefined;

/** Path identifiers, each under a parent in a language. */
class TopicLocations {
  /** The topic of `from` that has the path identifier. */
  readonly #holders = new KeyTable();
  /** The topic of `to` that has the path identifier. */
  readonly #wanted = new KeyTable();
  /** Path identifiers that stay in use: their topics are kept, or cannot change them. */
  readonly #taken = new KeyTable();

  constructor(comparison: Comparison) {
    const { from, matches, deletes } = comparison;
    const taken: Key[] = [];
    for (const number of from.records.topic.numbers()) {
      const operations = operationsOf(from, "topic", number);
      const locations = operations.map((content) => locationOf(content, parentOf(operations)));
      for (const location of locations) this.#holders.set(location, number);
      if (!deletes && !matches.topic.isKept(number)) taken.push(...locations);
    }
    for (const { number, before = [], after } of comparedOf(comparison, "topic")) {
      for (const content of after) this.#wanted.set(locationOf(content, parentOf(after)), number);
      if (parentOf(before) === parentOf(after))
        taken.push(...lackedIn(after, before).map((content) => locationOf(content, parentOf(after))));
    }
    // The loop also visits locations added meanwhile.
    for (const location of taken) {
      if (this.#taken.get(location) !== undefined) continue;
      this.#taken.set(location, 0);
      const next = this.#stored(comparison, location);
      if (next !== undefined) taken.push(next);
    }
  }

  /** The location a topic has to keep, because the wanted one is taken. */
  #stored(comparison: Comparison, location: Key): Key | undefined {
    const number = this.#wanted.get(location);
    const compared = number === undefined ? undefined : comparedAs(comparison, "topic", number);
    if (compared === undefined || compared.found === this.#holders.get(location)) return undefined;
    const { after } = compared;
    const content = after.find((content) => locationOf(content, parentOf(after)) === location);
    const stored = staying(compared, content?.language);
    return stored && locationOf(stored, parentOf(after));
  }

  /** The other topic of `from` that has the location, if any. */
  holderOf(content: Operation, parent: string, own: number | undefined): number | undefined {
    const holder = this.#holders.get(locationOf(content, parent));
    return holder === own ? undefined : holder;
  }

  /** True if another topic keeps the location. */
  isTaken(content: Operation, parent: string, own: number | undefined): boolean {
    const isKept = this.#taken.get(locationOf(content, parent)) !== undefined;
    return isKept && this.holderOf(content, parent, own) !== undefined;
  }

  isWanted(content: Operation, parent: string): boolean {
    return this.#wanted.get(locationOf(content, parent)) !== undefined;
  }
}

const locationOf = ({ language, pathIdentifier }: Operation, parent: string) =>
  keyOf(parent, String(language), String(pathIdentifier));

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
    // Sets the path identifier explicitly: a moved topic could get another one.
    steps.push(operation("topic/update", { topicId, language, name, pathIdentifier, ...fields }));
    fields = undefined;
  }
  if (steps.length > 0) changes.note("topic", "updated", name);
  for (const field of shared.fixed) changes.remains(`${field} of topics, which no operation removes`, name);
  for (const { language } of lackedIn(after, before))
    changes.remains("languages of topics, which no operation removes", `${name} (${String(language)})`);
  return steps;
}

const sharedOf = ([first]: readonly Operation[]) => {
  const { displayColor, parentId, resourceIdentifier, meta } = first!;
  return { displayColor, parentId, resourceIdentifier, meta };
};
