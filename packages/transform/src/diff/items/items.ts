import { slug } from "@lading/schema/internal";
import type { Changes, Differences } from "../changes.ts";
import { type Comparison, itemNoun, nameOf } from "../comparison.ts";
import { definitions } from "../content-model.ts";
import { comparable, operation } from "../fields.ts";
import {
  deferredOperation,
  type IndexedDump,
  type Operation,
  operationsOf,
  rootId,
  textOf,
} from "../indexed-dump.ts";
import { KeyTable, keyOf } from "../key-table.ts";
import { type Omission, omissionLocation } from "../omission.ts";
import { isPublication, itemChanges, type NewSlot, withPublicationsNamed } from "./changes.ts";
import type { Released } from "./release.ts";
import { type ShapeSharing, sharingIn } from "./sharing.ts";
import { type LeftFolder, listing, type Shortcuts } from "./shortcuts.ts";
import { type Entry, slotsIn } from "./slots.ts";
import { stateOf, type Variant, type Version } from "./state.ts";

export class ItemComparison {
  /** Items whose path changed, with the languages: their histories have grown. */
  readonly renamed = new Map<string, Set<string>>();
  /** Segments that may be in the paths of renamed, moved or new items. */
  readonly taken = new TakenSegments();
  /** SKUs that products temporarily give up while they are written. */
  readonly returningSkus = new Set<string>();
  readonly #comparison: Comparison;
  readonly #released: Released;
  readonly #sharingOf: (shape: string) => ShapeSharing;
  readonly #shortcuts: Shortcuts;
  readonly #mayDiffer: ReturnType<typeof mayDiffer>;
  /** 1 for each item of `from` that has left its folder so far. */
  readonly #gone: Uint8Array;
  /** The SKUs of deferred products, as far as they are written. */
  readonly #skus = new Map<number, ReadonlySet<string>>();
  /** Folders in which items were put between others. */
  readonly #disturbed = new Set<string>();

  constructor(comparison: Comparison, released: Released, shortcuts: Shortcuts) {
    this.#comparison = comparison;
    this.#released = released;
    this.#sharingOf = sharingIn(definitions(comparison.to));
    this.#shortcuts = shortcuts;
    this.#mayDiffer = mayDiffer(comparison.from.omissions);
    this.#gone = new Uint8Array(comparison.from.records.item.length);
  }

  *differences(): Differences {
    const { to } = this.#comparison;
    for (const folder of to.tree.children.keys()) {
      const numbers = childrenOf(to, folder);
      const slots = this.#slotsOf(folder, numbers);
      for (const [i, number] of numbers.entries()) yield* this.#item(number, slots[i]);
    }
    yield* this.#deferred();
  }

  /** Writes the deferred versions in the dump's order, in which each finds its SKUs free. */
  *#deferred(): Differences {
    const { to, translate } = this.#comparison;
    const steps = [...this.#released.deferred].flatMap((number) =>
      to.deferred.get(number)!.map((range) => ({ number, ...range })),
    );
    let waiting: Operation[] = [];
    for (const step of steps.sort((a, b) => a.offset - b.offset)) {
      const next = translate(deferredOperation(to, step));
      // A publication directly follows the write of what it publishes.
      const isOfWaiting = next.intent === "item/publish" && waiting.at(-1)?.itemId === next.itemId;
      if (!isOfWaiting) yield* withPublicationsNamed(waiting);
      waiting = isOfWaiting ? [...waiting, next] : [next];
      this.#noteLostSkus(step.number, [next]);
    }
    yield* withPublicationsNamed(waiting);
  }

  /** Records the SKUs that a product has in one step and not in the next; the first step is its draft. */
  #noteLostSkus(number: number, steps: readonly (Operation | Version)[]): void {
    const { to } = this.#comparison;
    let last = this.#skus.get(number);
    for (const { variants } of steps) {
      if (variants === undefined) continue;
      const skus = new Set((variants as readonly Variant[]).map(({ sku }) => sku));
      for (const sku of last ?? [])
        if (!skus.has(sku) && to.tree.skus.get(keyOf(sku)) !== undefined) this.returningSkus.add(sku);
      last = skus;
    }
    if (last !== undefined && to.deferred.has(number)) this.#skus.set(number, last);
  }

  #slotsOf(folder: number, numbers: readonly number[]): readonly (NewSlot | undefined)[] {
    const { matches, changes } = this.#comparison;
    const folderId = this.#folderId(folder);
    const found = folder === -1 ? -1 : matches.item.fromOf(folder);
    const before = found === undefined ? [] : this.#entriesOf(found, folderId);
    const after = numbers.map((number) => matches.item.fromOf(number));
    const { slots, isDisturbed, tooFar } = slotsIn({ folderId, before, after });
    if (isDisturbed) this.#disturbed.add(folderId);
    for (let i = 0; i < tooFar; i++) changes.remains("positions beyond 100,000 in a folder", folderId);
    return slots;
  }

  #folderId(folder: number): string {
    return folder === -1 ? rootId : this.#comparison.matches.item.idOf(folder);
  }

  /** A folder's entries in order, before its items get their slots. */
  #entriesOf(found: number, folderId: string): Entry[] {
    const { from, gone } = this.#shortcuts;
    const shown = listing(childrenOf(this.#comparison.from, found), from.get(folderId));
    return shown
      .filter((entry) => (typeof entry === "number" ? this.#gone[entry] === 0 : !gone.has(entry)))
      .map((entry) => (typeof entry === "number" ? entry : "shortcut"));
  }

  *#item(number: number, slot: NewSlot | undefined): Differences {
    const { to, matches, translate, changes, returning } = this.#comparison;
    const found = matches.item.fromOf(number);
    const isSame = returning.size === 0 && slot === undefined;
    if (found !== undefined && isSame && this.#isUnchanged(found, number)) return;
    const after = operationsOf(to, "item", number).map(translate);
    if (found === undefined) {
      changes.note(itemNoun(after[0]!), "created", nameOf(after[0]!));
      this.taken.add(String(after[0]!.itemId), after);
      const operations = after.slice(0, after.length - (to.deferred.get(number)?.length ?? 0));
      this.#noteLostSkus(number, operations);
      const [first, ...others] = operations as [Operation, ...Operation[]];
      const placed = operation(first.intent, { ...first, tree: slot ?? first.tree });
      yield* withPublicationsNamed([placed, ...others]);
    } else yield* this.#update({ found, number }, after, slot);
  }

  /** Compares the texts, which are equal most of the time. */
  #isUnchanged(found: number, number: number): boolean {
    const { from, to, isSameIds, released } = this.#comparison;
    if (!isSameIds || released.has(from.records.item.ids[found]!)) return false;
    if (from.deferred.has(found) || to.deferred.has(number)) return false;
    const [text, other] = [textOf(from, "item", found), textOf(to, "item", number)];
    return text === other || comparable(text) === comparable(other);
  }

  *#update(
    { found, number }: { found: number; number: number },
    after: readonly Operation[],
    slot: NewSlot | undefined,
  ): Differences {
    const { from, to, changes, deletes, released, returning } = this.#comparison;
    const before = operationsOf(from, "item", found);
    const [first, noun] = [after[0]!, itemNoun(after[0]!)];
    const [id, shape] = [from.records.item.ids[found]!, String(first.shapeIdentifier)];
    const item = { type: noun, id, sharing: this.#sharingOf(shape) };
    const state = this.#released.stateOf(found, before);
    const wanted = stateOf(after);
    const isMoved = wanted.parentId !== state.parentId;
    const [isDeferred, isUnknown] = [to.deferred.has(number), returning.has(shape)];
    const change = { before: state, after: wanted, slot, isUnknown, isDeferred };
    const known = itemChanges(item, change);
    // Doesn't publish a version whose languages may differ from the dump's.
    const isRenewed = known.operations.some(isPublication) && this.#mayDiffer({ id, shape });
    const { operations, fixed, renamed } = isRenewed
      ? itemChanges(item, { ...change, isUnknown: true })
      : known;
    for (const field of fixed)
      changes.remains(`${field} of items, which no operation removes`, nameOf(first));
    const isRewritten = this.#released.deferred.has(number);
    const isUpdated = operations.length > 0 || isRewritten;
    if (isUpdated || released.has(id)) changes.note(noun, "updated", nameOf(first));
    if (isMoved) this.#gone[found] = 1;
    if (isMoved || isRewritten || operations.some(changesPath)) this.taken.add(id, [...before, ...after]);
    const languages = isMoved ? [...before, ...after].map(({ language }) => String(language)) : renamed;
    if (deletes && (isMoved || isUpdated) && languages.length > 0) this.renamed.set(id, new Set(languages));
    this.#noteLostSkus(number, [...[...state.drafts.values()].slice(0, 1), ...operations]);
    yield* operations;
  }

  /** Describes a folder once all items are in their slots. */
  folderOf(id: string): LeftFolder {
    const { from, to, matches, deletes } = this.#comparison;
    const isRoot = id === rootId;
    const before = childrenOf(from, isRoot ? -1 : from.records.item.withId(id));
    const after = childrenOf(to, isRoot ? -1 : matches.item.withId(id));
    return {
      before: before.map((number) => from.records.item.ids[number]!),
      after: after.map((number) => matches.item.idOf(number)),
      isDisturbed: this.#disturbed.has(id),
      hasOthers: !deletes && before.some((number) => !matches.item.isKept(number)),
    };
  }
}

/** True for an operation that may change the item's path. */
const changesPath = ({ intent, name, tree }: Operation) =>
  name !== undefined || tree !== undefined || intent === "item/publish" || intent === "item/unpublish";

function childrenOf({ tree }: IndexedDump, folder: number | undefined): number[] {
  const range = folder === undefined ? undefined : tree.children.get(folder);
  return range === undefined
    ? []
    : Array.from({ length: range.end - range.first }, (_, i) => range.first + i);
}

/** Segments that may now be in items' paths; conflicting ones end with a number or an id. */
export class TakenSegments {
  readonly #segments = new KeyTable();

  /** Records the names an item gets, or had. */
  add(itemId: string, operations: readonly Operation[]): void {
    for (const { name } of operations)
      if (typeof name === "string") this.#segments.set(keyOf(slug(name) || itemId), 0);
  }

  /** True if an item may have the path now. */
  mayHave(path: string): boolean {
    return path
      .split("/")
      .flatMap((segment) => [segment, segment.replace(/-(?:\d|[0-9a-f]{24})$/, "")])
      .some((segment) => this.#segments.get(keyOf(segment)) !== undefined);
  }
}

/** The omissions about shared content that differs between languages: only these have a component. */
const differingIn = (omissions: readonly Omission[]) =>
  omissions.filter(({ component }) => component !== undefined);

/** Reports shared content that differs between languages: the dump has one language's content for all. */
export function noteDiffering(omissions: readonly Omission[], changes: Changes): void {
  const what = "shared content that differs between languages until it is written";
  for (const omission of differingIn(omissions)) {
    const { count, examples } = omission;
    changes.remain({ what: `${what}${omissionLocation(omission)}`, count, names: [...examples] });
  }
}

/** Tests whether an item may have such content: a report lists a few items, and counts the others of their shape. */
function mayDiffer(omissions: readonly Omission[]): (item: { id: string; shape: string }) => boolean {
  const differing = differingIn(omissions);
  return ({ id, shape }) =>
    differing.some(
      ({ count, examples, shape: own }) =>
        examples.includes(id) || (count > examples.length && own === shape),
    );
}
