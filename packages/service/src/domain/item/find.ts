import type { JsonPath } from "@lading/schema";
import { reject } from "../../errors.ts";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import type { ShapeType } from "../../storage/collections/shapes.ts";
import { type Loaded, withLoaded } from "../../storage/unit-of-work/loaded.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { named, refuseOtherIdentifier } from "../payload/named-row.ts";

/** The properties by which a payload identifies an item; the first one set counts. */
export interface ItemIdentity {
  itemId?: string;
  resourceIdentifier?: string;
  /** Identifies an item in upserts only; elsewhere it is just a property. */
  externalReference?: string | null;
}

type FollowItem = (item: ItemRow, prefetch: Prefetch) => void;

/** Declares the rows that `findItem` and `claimResourceIdentifier` read. */
export function prefetchItem(identity: ItemIdentity, prefetch: Prefetch, follow?: FollowItem): void {
  const { itemId, resourceIdentifier, externalReference } = identity;
  if (itemId) prefetch(items, "key", [itemId], follow);
  if (resourceIdentifier)
    prefetch(items, "resourceIdentifier", [resourceIdentifier], itemId ? undefined : follow);
  else if (externalReference && !itemId) prefetch(items, "externalReference", [externalReference], follow);
}

/** Finds an item by its id, else by its resource identifier; undefined when there is none. */
export async function findItem(unit: UnitOfWork, identity: ItemIdentity): Promise<ItemRow | undefined> {
  if (identity.itemId) return unit.get(items, identity.itemId);
  if (!identity.resourceIdentifier) return undefined;
  const [item] = await unit.find(items, "resourceIdentifier", identity.resourceIdentifier);
  return item;
}

/** Finds an item by its id, else by its resource identifier; rejects with `ItemNotFoundError`. */
export async function requireItem(unit: UnitOfWork, identity: ItemIdentity): Promise<ItemRow> {
  const item = await findItem(unit, identity);
  if (item !== undefined) return item;
  const { itemId, resourceIdentifier } = identity;
  if (itemId) reject("ItemNotFoundError", `No item has the id ${itemId}`, ["itemId"]);
  reject("ItemNotFoundError", `No item has the resource identifier "${resourceIdentifier}"`, [
    "resourceIdentifier",
  ]);
}

/**
 * Finds an item like `requireItem`, for payloads whose resource identifier must match the id, if both are given.
 * Rejects another item's with `ConflictError`.
 */
export async function requireNamedItem(unit: UnitOfWork, identity: ItemIdentity): Promise<ItemRow> {
  const item = await requireItem(unit, identity);
  refuseOtherIdentifier(item, identity.resourceIdentifier, { what: "items", idField: "itemId" });
  return item;
}

/** Finds an item like `requireNamedItem`; rejects the tenant's root folder, which has no parent (`ConflictError`). */
export async function requireChild(
  unit: UnitOfWork,
  identity: ItemIdentity,
): Promise<ItemRow & { parentId: string }> {
  const item = await requireNamedItem(unit, identity);
  if (isChild(item)) return item;
  const message = `${item.id} is the root folder of the tenant, which has no other locations and paths`;
  return reject("ConflictError", message);
}

const isChild = (item: ItemRow): item is ItemRow & { parentId: string } => item.parentId !== null;

/** Finds the item of a kind with this external reference; rejects several with `AmbiguousReferenceError`. */
export const findByReference = (
  unit: Pick<UnitOfWork, "find">,
  kind: ShapeType,
  externalReference: string,
): Loaded<ItemRow | undefined> =>
  withLoaded(unit.find(items, "externalReference", externalReference), (found) =>
    onlyMatch(found, kind, externalReference),
  );

function onlyMatch(found: readonly ItemRow[], kind: ShapeType, externalReference: string) {
  const matches = found.filter((item) => item.type === kind);
  if (matches.length <= 1) return matches[0];
  return reject(
    "AmbiguousReferenceError",
    `${matches.length} ${kind}s have the external reference "${externalReference}" ` +
      `(${matches
        .slice(0, 3)
        .map(({ id, resourceIdentifier }) => named({ id, resourceIdentifier }))
        .join(", ")}${matches.length > 3 ? ", …" : ""}); ` +
      "say which with itemId or resourceIdentifier",
    ["externalReference"],
  );
}

/** Rejects an item of another kind, or the root folder. */
export function refuseKind(item: ItemRow, kind: ShapeType, name: string | undefined): never {
  if (item.shapeIdentifier === null)
    reject("ConflictError", `${item.id} is the root folder of the tenant, which cannot be changed`);
  reject(
    "ConflictError",
    `The item ${named(item, name)} is a ${item.type}, not a ${kind}; use ${item.type}/update`,
  );
}

/** Rejects a resource identifier that another item has (`ResourceIdentifierTakenError`). */
export async function claimResourceIdentifier(
  unit: UnitOfWork,
  itemId: string,
  resourceIdentifier: string | undefined,
): Promise<void> {
  if (!resourceIdentifier) return;
  const [holder] = await unit.find(items, "resourceIdentifier", resourceIdentifier);
  if (holder === undefined || holder.id === itemId) return;
  reject(
    "ResourceIdentifierTakenError",
    `The ${holder.type} ${holder.id} has the resource identifier "${resourceIdentifier}"`,
    ["resourceIdentifier"],
  );
}

/** An item's draft in a language; rejects with `ItemNotFoundError`, listing the item's languages. */
export async function requireDraft(
  unit: UnitOfWork,
  item: ItemRow,
  language: string,
  path: JsonPath = ["language"],
): Promise<ItemContentRow> {
  const owner = { collection: items, key: item.id };
  const draft = await unit.getUnder(owner, itemContents, item.id, language, "draft");
  if (draft !== undefined) return draft;
  const contents = await unit.findUnder(owner, itemContents, "item", item.id);
  const known = contents
    .filter(({ version }) => version === "draft")
    .map((content) => `"${content.language}"`);
  const existing = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  return reject(
    "ItemNotFoundError",
    `The ${item.type} ${named(item, contents[0]?.name)} has nothing in the language "${language}"; ${existing}`,
    path,
  );
}
