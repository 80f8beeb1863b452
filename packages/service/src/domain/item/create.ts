import type { Payload } from "@lading/schema";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import type { ShapeType } from "../../storage/collections/shapes.ts";
import { newId } from "../../storage/ids.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { requireContent, requireShape } from "../content/check.ts";
import { updateHistories } from "../path/former-paths.ts";
import { freeSegment, mayHaveFormerPaths } from "../path/tree-paths.ts";
import { keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { timestampOf } from "../payload/timestamp.ts";
import { requireLanguage, vatTypeOf } from "../settings/require.ts";
import { requireFolder, sortKeyAt } from "../tree.ts";
import { checkVariant, checkVariantSettings } from "../variant/check.ts";
import { createVariants } from "../variant/create.ts";
import { claimResourceIdentifier } from "./find.ts";
import { setTopics } from "./set-topics.ts";

/** The fields common to all intents that write items; those of each intent are narrower. */
export type ItemPayload = { language: string } & Partial<Payload<"product/upsert">>;

/** A payload that can create an item: of a create or an upsert. */
export type NewItemPayload = ItemPayload & { name: string; shapeIdentifier: string };

/**
 * Creates an item with its draft in one language and, for a product, its variants. Defaults: `tree` is the root,
 * `vatTypeId` the tenant's first, `variants` one whose SKU is the external reference, else the item's id.
 * Rejects unknown shapes, parents and settings, taken keys, and content that is missing or does not fit the shape.
 */
export async function createItem(
  context: CommandContext,
  kind: ShapeType,
  payload: NewItemPayload,
  id: string = newId(),
): Promise<CommandResult> {
  const { unit, tenant, now, media } = context;
  const { language, name, shapeIdentifier, tree, createdAt } = payload;
  checkItemPayload(tenant, payload);
  refuseNewKeys(payload);
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
    vatTypeId: kind === "product" ? vatTypeOf(tenant, payload.vatTypeId) : null,
    createdAt: createdAt ? timestampOf(createdAt, ["createdAt"]) : now,
    updatedAt: now,
  });
  if (payload.topicIds) await setTopics(context, id, payload.topicIds);
  const segment = await freeSegment(context, { itemId: id, parentId, language }, name);
  unit.insert(itemContents, newDraft({ itemId: id, language, parentId, segment, name, components }, now));
  if (mayHaveFormerPaths(context, language))
    await updateHistories(context, [{ itemId: id, language, version: "draft", below: false }]);
  if (kind === "product") await createVariants({ unit, now, media }, shape, id, payload);
  // Later operations refer to a folder's id as `id.value`.
  return {
    action: "created",
    output: { id: kind === "folder" ? { value: id } : id, language, versionLabel: "draft" },
  };
}

type NewDraft = Pick<ItemContentRow, "itemId" | "language" | "parentId" | "segment" | "name" | "components">;

export const newDraft = (draft: NewDraft, now: string): ItemContentRow => ({
  itemId: draft.itemId,
  language: draft.language,
  version: "draft",
  versionId: newId(),
  parentId: draft.parentId,
  segment: draft.segment,
  name: draft.name,
  components: draft.components,
  isPublished: false,
  variants: null,
  updatedAt: now,
});

/** Rejects a payload that breaks a limit or names an unknown setting. */
export function checkItemPayload(tenant: Tenant, payload: ItemPayload): void {
  requireLanguage(tenant, payload.language);
  const check = limitCheck();
  checkItem(check, payload);
  payload.variants?.forEach((variant, i) => {
    checkVariant(check, variant, ["variants", i]);
  });
  check.end();
  payload.variants?.forEach((variant, i) => {
    checkVariantSettings(tenant, variant, ["variants", i]);
  });
}

export function refuseNewKeys(
  { externalReference, resourceIdentifier }: Pick<ItemPayload, "externalReference" | "resourceIdentifier">,
  stored?: Pick<ItemRow, "externalReference" | "resourceIdentifier">,
): void {
  refuseNewKey(externalReference, "externalReference", stored?.externalReference);
  refuseNewKey(resourceIdentifier, "resourceIdentifier", stored?.resourceIdentifier);
}

/** Limits of texts in characters, and of lists in members. */
const itemLimits = {
  name: { max: 512 },
  externalReference: { min: 1, max: 256 },
  resourceIdentifier: keyLength,
  topicIds: 250,
};

/** Collects the broken limits of an item's own fields. */
function checkItem(
  check: LimitCheck,
  item: {
    name?: string;
    externalReference?: string | null;
    resourceIdentifier?: string;
    topicIds?: string[] | null;
  },
): void {
  check.length(item.name, itemLimits.name, ["name"]);
  check.length(item.externalReference, itemLimits.externalReference, ["externalReference"]);
  check.length(item.resourceIdentifier, itemLimits.resourceIdentifier, ["resourceIdentifier"]);
  check.count(item.topicIds, itemLimits.topicIds, ["topicIds"]);
}
