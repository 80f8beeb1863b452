import type { Payload } from "@lading/schema";
import type { ShapeType } from "../../storage/collections/shapes.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import { keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";
import { requireLanguage } from "../settings/require.ts";
import { checkVariant, checkVariantSettings } from "../variant/check.ts";

export type ItemKind = ShapeType;

/** The fields that the payloads of all intents that write items have in common; those of each intent are narrower. */
export type ItemPayload = { language: string } & Partial<Payload<"product/upsert">>;

/** A payload that can create an item: of a create or an upsert. */
export type NewItemPayload = ItemPayload & { name: string; shapeIdentifier: string };

/** Rejects a payload that breaks a limit or names a setting that the tenant does not have. */
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

/** Limits in characters of texts and members of lists. */
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
