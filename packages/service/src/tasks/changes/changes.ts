import type { NewIds } from "../../storage/bulk-tasks/plans/new-ids.ts";
import { collectionOf } from "../../storage/collections/all.ts";
import type { BeforeImage } from "../../storage/unit-of-work/before-images.ts";
import { jsonDiff, type Renamed, type ValueChange } from "./json-diff.ts";

/** A row that an operation changed, or would change, as clients see it. */
export interface EntityChange {
  /** Such as `item`, `itemContent` or `productVariant`. */
  readonly entity: string;
  /** Its key, by the names of its properties. */
  readonly key: Readonly<Record<string, unknown>>;
  readonly action: "created" | "updated" | "deleted";
  readonly values: readonly ValueChange[];
  /** True for a created row whose values are unknown, because it was changed or deleted since. */
  readonly changedSince: boolean;
}

/** An image as clients see it. */
export interface ShownImage extends BeforeImage {
  readonly renamed?: Renamed;
}

export interface OperationChanges {
  readonly entities: readonly EntityChange[];
  /** The number of unlisted values and entities: there are too many, or they are too large. */
  readonly more: number;
  /** False if not all of the operation's images were read; `more` then counts only those that were. */
  readonly isComplete: boolean;
}

/** Limits of changes per operation and per request; docs/limits.md lists them. */
export const changeLimits = {
  entities: 1_000,
  values: 1_000,
  characters: 64 * 1024,
  /** Characters of created rows read per operation; the rest count as one unlisted value each. */
  created: 1024 ** 2,
  /** Characters of images read per request, for all operations together. */
  read: 32 * 1024 ** 2,
} as const;

/** Timestamps of an entity, which change with any other value. */
const times: ReadonlySet<string> = new Set(["createdAt", "updatedAt"]);

/** Collects an operation's changes from its images. */
export class ChangeList {
  readonly #newIds: NewIds | null;
  readonly #entities: EntityChange[] = [];
  /** Rows created by an operation of a run, whose values are not added yet, and their entities' positions. */
  readonly #created = new Map<BeforeImage, number>();
  #createdCharacters = 0;
  #more = 0;
  #values = 0;
  #characters = 0;

  /**
   * Shows ids in `newIds`, those of a plan, as `new`. Tasks of earlier versions have no values after: then new values
   * are null, and whole values are listed.
   */
  constructor(newIds: NewIds | null) {
    this.#newIds = newIds;
  }

  add(images: readonly ShownImage[]): void {
    for (const image of images)
      if (changesMoreThanTimes(image))
        this.#addEntity(this.#newIds ? withoutNewIds(image, this.#newIds) : image);
  }

  changes(isComplete: boolean): OperationChanges {
    const more = this.#more + (isComplete ? this.#created.size : 0);
    return { entities: this.#entities, more, isComplete };
  }

  /** The listed entities that lack values: only plans keep those of created rows. */
  get created(): BeforeImage[] {
    return [...this.#created.keys()];
  }

  get takesMoreRows(): boolean {
    return this.#values < changeLimits.values && this.#createdCharacters < changeLimits.created;
  }

  /** Adds the values of a created row; undefined: it was changed since. */
  addCreated(image: BeforeImage, row: object | undefined): void {
    const at = this.#created.get(image);
    const entity = at === undefined ? undefined : this.#entities[at];
    if (at === undefined || entity === undefined) return;
    this.#created.delete(image);
    if (row !== undefined) this.#createdCharacters += JSON.stringify(row).length;
    this.#entities[at] =
      row === undefined ? { ...entity, changedSince: true } : this.#entity({ ...image, after: row });
  }

  #addEntity(image: ShownImage): void {
    const entity = this.#entity(image);
    if (this.#entities.length >= changeLimits.entities) {
      this.#more += entity.values.length + 1;
      return;
    }
    if (this.#newIds === null && isCreatedWithoutValues(image))
      this.#created.set(image, this.#entities.length);
    this.#entities.push(entity);
  }

  #entity(image: ShownImage): EntityChange {
    const values = [...valuesOf(image)].filter((value) => this.#hasRoomFor(value));
    return { ...entityOf(image), action: actionOf(image), values, changedSince: false };
  }

  /** Counts a value as listed, or as not fitting. */
  #hasRoomFor({ before, after }: ValueChange): boolean {
    const characters = this.#characters + JSON.stringify([before, after]).length;
    if (this.#values >= changeLimits.values || characters > changeLimits.characters) {
      this.#more++;
      return false;
    }
    this.#values++;
    this.#characters = characters;
    return true;
  }
}

export const isCreatedWithoutValues = ({ before, after }: BeforeImage): boolean =>
  before === null && after === undefined;

/** False if only the entity's timestamps differ, because a part of it changed. */
export const changesMoreThanTimes = ({ before, after }: BeforeImage): boolean =>
  before === null || after === null || Object.keys({ ...before, ...after }).some((name) => !times.has(name));

function* valuesOf(image: ShownImage): Generator<ValueChange> {
  const { table, before, after } = image;
  const { key = [], internal = [] } = collectionOf(table) ?? {};
  const hidden = new Set([...times, ...key, ...internal, ...Object.keys(entityOf(image).key)]);
  const [from, to] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))];
  for (const name of new Set([...from.keys(), ...to.keys()]))
    if (!hidden.has(name))
      yield* jsonDiff(from.get(name) ?? null, to.get(name) ?? null, `/${name}`, image.renamed);
}

/** Says what an operation did with a row. A deleted row's image includes its key. */
export function actionOf({ table, before, after }: BeforeImage): EntityChange["action"] {
  if (before === null) return "created";
  const [first = ""] = collectionOf(table)?.key ?? [];
  return after === null || (after === undefined && first in before) ? "deleted" : "updated";
}

/**
 * The name and key of an entity. A hash in the key is shown as its source column, if known: for a new row, runs keep
 * only the key.
 */
export function entityOf({
  table,
  key: parts,
  before,
  after,
}: BeforeImage): Pick<EntityChange, "entity" | "key"> {
  const known = Object.entries({ ...before, ...after });
  const named = (collectionOf(table)?.key ?? []).map((name, i) => {
    const readable = known.find(([column]) => column === hashed[name]);
    return readable ?? [name, parts[i]];
  });
  return { entity: entityName(table), key: Object.fromEntries(named) };
}

/** The source columns of hashes in keys. */
const hashed: Readonly<Record<string, string>> = { pathHash: "path" };

/** `item_contents` → `itemContent`; other names lose a final `s`. */
function entityName(table: string): string {
  const singular = table
    .replace(/ies$/, "y")
    .replace(/(alias)es$/, "$1")
    .replace(/([^s])s$/, "$1");
  return singular.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** An id that is a whole text, or the end of a sort key. */
const id = /"(z00)?([0-9a-f]{24})"/g;

/**
 * Shows ids generated by a plan as `new`. A row the plan has not written before is in its stored state, so neither its
 * key and previous values nor unchanged texts contain such ids.
 */
export function withoutNewIds(image: BeforeImage, { first, end }: NewIds): BeforeImage {
  const kept = new Set<string>();
  const replaced = <Value>(value: Value): Value =>
    JSON.parse(
      JSON.stringify(value ?? null).replace(id, (text, _, found: string) =>
        found >= first && found < end && !kept.has(text) ? '"new"' : text,
      ),
    );
  const { key, before, after, seen } = image;
  if (seen === undefined)
    return { ...image, key: replaced(key), before: replaced(before), after: replaced(after) };
  for (const [text] of JSON.stringify(before).matchAll(id)) kept.add(text);
  return { ...image, after: replaced(after) };
}
