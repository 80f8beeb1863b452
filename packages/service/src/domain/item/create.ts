import { itemContents } from "../../storage/collections/item-contents.ts";
import { items } from "../../storage/collections/items.ts";
import { newId } from "../../storage/ids.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { requireContent, requireShape } from "../content/check.ts";
import { updateHistories } from "../path/former-paths.ts";
import { freeSegment } from "../path/segments.ts";
import { timestampOf } from "../payload/timestamp.ts";
import { vatTypeOf } from "../settings/require.ts";
import { sortKeyAt } from "../tree/sort-keys.ts";
import { requireFolder } from "../tree/tree.ts";
import { createVariants } from "../variant/write.ts";
import { checkItemPayload } from "./check.ts";
import { newDraft } from "./draft.ts";
import { claimResourceIdentifier } from "./find.ts";
import { createdItem, hasVariants, type ItemKind, type ItemPayload } from "./kinds.ts";
import { setTopics } from "./set-topics.ts";

/** A payload that can create an item: of a create or an upsert. */
export type NewItemPayload = ItemPayload & { name: string; shapeIdentifier: string };

/**
 * Creates an item with its draft in one language and, of a product, with its variants. Without `tree` it goes to
 * the root, without `vatTypeId` it gets the tenant's first, without `variants` one whose SKU is the external
 * reference, else the item's id.
 * Rejects a shape, parent or setting that does not exist, a key that is taken, and content that is missing or does not
 * fit the shape.
 */
export async function createItem(
  context: CommandContext,
  kind: ItemKind,
  payload: NewItemPayload,
  id: string = newId(),
): Promise<CommandResult> {
  const { unit, tenant, now, media } = context;
  const { language, name, shapeIdentifier, tree } = payload;
  checkItemPayload(tenant, payload);
  const shape = await requireShape(unit, kind, shapeIdentifier);
  const { id: parentId } = await requireFolder(unit, tree?.parentId ?? tenant.rootItemId);
  await claimResourceIdentifier(unit, id, payload.resourceIdentifier);
  const components = await requireContent(unit, shape, "components", payload.components ?? [], {
    complete: true,
    media,
    path: ["components"],
  });
  unit.insert(items, {
    id,
    type: kind,
    shapeIdentifier,
    parentId,
    sortKey: await sortKeyAt(unit, undefined, parentId, tree?.position),
    externalReference: payload.externalReference ?? null,
    resourceIdentifier: payload.resourceIdentifier ?? null,
    vatTypeId: hasVariants(kind) ? vatTypeOf(tenant, payload.vatTypeId) : null,
    createdAt: timestampOf(payload.createdAt, ["createdAt"]) ?? now,
    updatedAt: now,
  });
  await setTopics(unit, id, payload.topicIds);
  const segment = await freeSegment(context, { itemId: id, parentId, language }, name);
  unit.insert(itemContents, newDraft({ itemId: id, language, parentId, segment, name, components }, now));
  await updateHistories(context, [{ itemId: id, language, version: "draft", below: false }]);
  if (hasVariants(kind)) await createVariants({ unit, now, media }, shape, id, payload);
  return createdItem(kind, id, language);
}
