import { reject } from "../../errors.ts";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import type { ShapeType } from "../../storage/collections/shapes.ts";
import { newId } from "../../storage/ids.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { requireShape } from "../content/check.ts";
import { mayShare } from "../content/compiled-content.ts";
import { requireReplacing } from "../content/keep.ts";
import { mentionedIn } from "../content/languages.ts";
import { merge } from "../merge.ts";
import { historyDropped } from "../path/former-paths.ts";
import { contentOf, freeSegment } from "../path/tree-paths.ts";
import { named } from "../payload/named-row.ts";
import { timestampOf } from "../payload/timestamp.ts";
import { vatTypeOf } from "../settings/require.ts";
import { refuseCycle, requireFolder, sortKeyAt, type TreeLocation } from "../tree.ts";
import { type Removal, removedOf } from "../variant/removals.ts";
import { addLanguage } from "../variant/share-content.ts";
import { nothingWritten, replaceVariants, type VariantsWritten } from "../variant/update.ts";
import { checkItemPayload, type ItemPayload, newDraft, refuseNewKeys } from "./create.ts";
import { claimResourceIdentifier, refuseKind } from "./find.ts";
import { followPaths, moveContents } from "./location.ts";
import { setTopics } from "./set-topics.ts";
import { addedContent, shareContent } from "./share-content.ts";
import { dropShortcut } from "./shortcut-commands.ts";

/**
 * Updates an item and its draft in one language, creating the draft if there is none. Absent fields are kept, null
 * clears, lists replace. Content may be incomplete until it is published. Returns `unchanged`, and writes nothing, when
 * nothing changes.
 */
export async function updateItem(
  context: CommandContext,
  kind: ShapeType,
  item: ItemRow,
  payload: ItemPayload,
): Promise<CommandResult> {
  const { unit, tenant, now } = context;
  if (item.type !== kind || item.shapeIdentifier === null)
    refuseKind(item, kind, (await draftOf(unit, item, payload.language))?.name);
  checkItemPayload(tenant, payload);
  refuseNewKeys(payload, item);
  if (payload.shapeIdentifier !== undefined && payload.shapeIdentifier !== item.shapeIdentifier)
    refuseOtherShape(item, payload.shapeIdentifier, (await draftOf(unit, item, payload.language))?.name);
  if (payload.resourceIdentifier !== item.resourceIdentifier)
    await claimResourceIdentifier(unit, item.id, payload.resourceIdentifier);
  const location = await locationOf(unit, item, payload.tree);
  const patch = {
    ...location,
    externalReference: payload.externalReference,
    resourceIdentifier: payload.resourceIdentifier,
    vatTypeId: payload.vatTypeId === undefined ? undefined : vatTypeOf(tenant, payload.vatTypeId),
    createdAt: timestampOf(payload.createdAt, ["createdAt"]),
  };
  const next = merge(item, patch, now);
  if (next !== undefined) unit.update(items, next);
  const topics = payload.topicIds !== undefined && (await setTopics(unit, item.id, payload.topicIds));
  const content = await updateContent(context, item, payload, location.parentId);
  // A concurrent writer that moves the item, and does not see the new language, must conflict.
  if (content.isAdded) unit.touch(items, item);
  const variants = await updateVariants(context, item, payload);
  const added =
    content.isAdded && item.type === "product" && (await addToVariants(context, item, payload.language));
  const written = [next !== undefined, topics, content.changed, variants.changed, added];
  const went = { lostPaths: content.lostPaths, removals: variants.removals };
  return updatedItem(item.id, payload.language, written.includes(true), went);
}

/** The result of an update, with or without changes. */
const updatedItem = (
  id: string,
  language: string,
  changed: boolean,
  went: { lostPaths: readonly string[]; removals: readonly Removal[] },
): CommandResult => ({
  action: changed ? "updated" : "unchanged",
  output: {
    id: { id, language, versionLabel: "draft" },
    ...historyDropped(went.lostPaths),
    ...removedOf(went.removals),
  },
});

function refuseOtherShape(item: ItemRow, shapeIdentifier: string, name: string | undefined): never {
  reject(
    "ConflictError",
    `The item ${named(item, name)} has the shape "${item.shapeIdentifier}", which cannot be changed to "${shapeIdentifier}"`,
    ["shapeIdentifier"],
  );
}

/** The item's new location. Rejects moving a folder under its own descendant. */
async function locationOf(unit: UnitOfWork, item: ItemRow, tree: ItemPayload["tree"]): Promise<TreeLocation> {
  const { sortKey, parentId } = item as ItemRow & TreeLocation;
  if (tree === undefined) return { parentId, sortKey };
  if (tree.parentId !== parentId) {
    await requireFolder(unit, tree.parentId);
    if (item.type === "folder") await refuseCycle(unit, item.id, tree.parentId);
    await dropShortcut(unit, item.id, tree.parentId);
  }
  return { parentId: tree.parentId, sortKey: await sortKeyAt(unit, item, tree.parentId, tree.position) };
}

/** Writes the payload language's content, and the item's position under its parent in every language. */
async function updateContent(
  context: CommandContext,
  item: ItemRow,
  payload: ItemPayload,
  parentId: string,
): Promise<{ isAdded: boolean; changed: boolean; lostPaths: string[] }> {
  const { unit, now } = context;
  const { language } = payload;
  const moved = parentId === item.parentId ? [] : await moveContents(context, item, parentId);
  const content = await draftOf(unit, item, language);
  const components = await newComponents(context, item, payload, content);
  const name = payload.name ?? content?.name ?? nameMissing(item, language);
  const kept = content !== undefined && content.name === name;
  const owner = { itemId: item.id, parentId, language };
  const segment = kept
    ? content.segment
    : ((await publishedSegment(context, content, name)) ?? (await freeSegment(context, owner, name)));
  const next = content && merge(content, { name, segment, components }, now);
  if (content === undefined)
    unit.insert(itemContents, newDraft({ ...owner, segment, name, components: components ?? [] }, now));
  else if (next !== undefined) unit.update(itemContents, { ...next, versionId: newId() });
  const shared = await shareWritten(context, item, payload, content === undefined, components);
  const renamed = content?.segment === segment ? undefined : { language, before: content, segment };
  const lostPaths = await followPaths(context, item, moved, renamed);
  const isAdded = content === undefined;
  return { isAdded, changed: shared || isAdded || next !== undefined, lostPaths };
}

/** The published segment of an item that gets its published name again: its path stays. */
async function publishedSegment(
  { unit }: CommandContext,
  draft: ItemContentRow | undefined,
  name: string,
): Promise<string | null | undefined> {
  if (!draft?.isPublished) return undefined;
  const published = await contentOf(unit, draft.itemId, draft.language, "published");
  return published?.name === name ? (published.segment ?? draft.segment) : undefined;
}

/** Copies written shared components to the other languages; returns true if that changed any. */
async function shareWritten(
  context: CommandContext,
  item: ItemRow,
  { language, components: payload }: ItemPayload,
  isAdded: boolean,
  components: ItemContentRow["components"] | undefined,
): Promise<boolean> {
  if (payload === undefined || components === undefined) return false;
  const shape = await shapeOf(context.unit, item);
  if (!mayShare(shape, "components")) return false;
  const written = isAdded ? mentionedIn(payload ?? [], shape.components) : shape.components;
  return shareContent(context, shape, { itemId: item.id, language, components }, written);
}

const draftOf = (unit: UnitOfWork, { id }: ItemRow, language: string) =>
  unit.getUnder(ownerOf(id), itemContents, id, language, "draft");

const shapeOf = (unit: UnitOfWork, { type, shapeIdentifier }: ItemRow) =>
  requireShape(unit, type, shapeIdentifier ?? "");

const addToVariants = async (context: CommandContext, item: ItemRow, language: string) =>
  addLanguage(context, await shapeOf(context.unit, item), item.id, language);

const ownerOf = (itemId: string) => ({ collection: items, key: itemId });

function nameMissing(item: ItemRow, language: string): never {
  const message = `The ${item.type} ${named(item)} has nothing in the language "${language}" yet, so it needs a name`;
  return reject("ValidationError", message, ["name"]);
}

/** The components to store; undefined keeps the stored ones. An added language gets the shared content, too. */
async function newComponents(
  { unit, media, uploads }: CommandContext,
  item: ItemRow,
  { components, language }: ItemPayload,
  content: ItemContentRow | undefined,
): Promise<ItemContentRow["components"] | undefined> {
  if (content !== undefined && components === undefined) return undefined;
  if (content !== undefined && components === null) return [];
  const shape = await shapeOf(unit, item);
  const added = (checked: ItemContentRow["components"], named = components ?? []) =>
    addedContent(unit, shape, { itemId: item.id, language }, checked, named);
  if (!components) return added([]);
  const stored = content?.components ?? (uploads ? await added([], []) : []);
  const options = { complete: false, media, path: ["components"], stored, uploads };
  const checked = await requireReplacing(unit, shape, "components", components, options);
  return content === undefined ? added(checked) : checked;
}

async function updateVariants(
  context: CommandContext,
  item: ItemRow,
  { variants, language }: ItemPayload,
): Promise<VariantsWritten> {
  if (variants === undefined || item.type !== "product") return nothingWritten;
  const shape = await shapeOf(context.unit, item);
  return replaceVariants(context, shape, item.id, variants, language);
}
