import { isObject } from "@lading/schema/internal";
import type { Changes, Differences } from "./changes.ts";
import { fieldChanges, operation, same } from "./fields.ts";
import type { IndexedDump, Operation } from "./indexed-dump.ts";

const keyOf = ({ intent, identifier }: Operation) => `${intent} ${String(identifier)}`;

/** The last operation per shape and piece: the first one of a cycle is incomplete. */
export const definitions = ({ contentModel }: IndexedDump): Map<string, Operation> =>
  new Map(contentModel.map((step) => [keyOf(step), step]));

/**
 * Finds shapes that changed, directly or through a piece, and whose items have shared content that differs between
 * languages, which the dump lacks.
 */
export function returningContent(from: IndexedDump, to: IndexedDump): Set<string> {
  const [before, after] = [definitions(from), definitions(to)];
  const differs = (shape: string) => !same(componentsOf(before, shape), componentsOf(after, shape));
  const lacking = from.omissions.flatMap(({ shape, component }) => (shape && component ? shape : []));
  return new Set(lacking.filter(differs));
}

/** The components of a shape and of all pieces in it. */
function componentsOf(model: ReadonlyMap<string, Operation>, shape: string): unknown {
  const keys = new Set([`shape/upsert ${shape}`]);
  return Array.from(keys, (key) => {
    const definition = model.get(key);
    const lists = [definition?.components, definition?.variantComponents];
    for (const piece of piecesIn(lists)) keys.add(`piece/upsert ${piece}`);
    return [key, lists];
  });
}

/** The identifiers of the pieces that definitions use, at any depth. */
function piecesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(piecesIn);
  if (!isObject(value)) return [];
  const own = isObject(value.piece) ? [String(value.piece.identifier)] : [];
  return [...own, ...Object.values(value).flatMap(piecesIn)];
}

/** The definitions of a dump, each before the pieces it uses. */
export function usersFirst(model: ReadonlyMap<string, Operation>): [key: string, definition: Operation][] {
  const begun = new Set<string>();
  const found: [string, Operation][] = [];
  const visit = (key: string): void => {
    const definition = model.get(key);
    if (definition === undefined || begun.has(key)) return;
    begun.add(key);
    for (const piece of piecesIn([definition.components, definition.variantComponents]))
      visit(`piece/upsert ${piece}`);
    found.push([key, definition]);
  };
  for (const key of model.keys()) visit(key);
  return found.reverse();
}

export function* modelDifferences(
  from: IndexedDump,
  to: readonly Operation[],
  changes: Changes,
): Differences {
  const [before, after] = [definitions(from), new Map(to.map((step) => [keyOf(step), step]))];
  const begun = new Set<string>();
  for (const step of to) {
    const [stored, whole] = [before.get(keyOf(step)), after.get(keyOf(step))!];
    if (stored !== undefined && same(stored, whole)) continue;
    const noun = step.intent === "shape/upsert" ? "shape" : "piece";
    if (stored === undefined) {
      if (!begun.has(keyOf(step))) changes.note(noun, "created", String(step.identifier));
      begun.add(keyOf(step));
      yield step;
    } else if (step === whole) yield* update(noun, stored, step, changes);
  }
}

function* update(noun: "shape" | "piece", stored: Operation, step: Operation, changes: Changes): Differences {
  const identifier = String(step.identifier);
  const { fields, fixed } = fieldChanges(
    `${noun}/update`,
    withLists(stored),
    withLists(ofType(stored, step)),
  );
  if (fields !== undefined) {
    changes.note(noun, "updated", identifier);
    yield operation(`${noun}/update`, { identifier, ...fields });
  }
  for (const field of fixed)
    changes.remains(
      `${field} of shapes, which cannot be changed: items that need another one fail`,
      identifier,
    );
}

/** Only product shapes can get variant components. */
const ofType = ({ type, variantComponents }: Operation, step: Operation): Operation =>
  type === step.type ? step : { ...step, variantComponents };

/** Updates keep absent lists, and dumps omit empty ones. */
const withLists = (step: Operation): Operation => ({ components: [], ...step });
