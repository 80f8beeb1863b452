import type { Tenant } from "../../storage/tenants/tenant.ts";
import { keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";
import { requireLanguage } from "../settings/require.ts";
import { checkVariantSettings } from "../variant/check.ts";
import { checkVariant } from "../variant/limits.ts";
import type { ItemPayload } from "./kinds.ts";

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
