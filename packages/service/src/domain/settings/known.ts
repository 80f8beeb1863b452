import type { HasSetting, SettingIntent } from "@lading/schema/internal";
import { keyOfSetting, type Setting, type SettingList } from "../../storage/tenants/settings.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";

const lists: { readonly [I in SettingIntent]: SettingList } = {
  "language/upsert": "languages",
  "vatType/upsert": "vatTypes",
  "priceVariant/upsert": "priceVariants",
  "stockLocation/upsert": "stockLocations",
  "market/upsert": "markets",
  "subscriptionPlan/upsert": "subscriptionPlans",
  "orderPipeline/upsert": "pipelines",
};

/** Tests if a tenant has a setting, by its key. */
export const settingsOf =
  ({ settings }: Tenant): HasSetting =>
  (intent, key) => {
    const list = lists[intent];
    const entries: readonly Setting<SettingList>[] = settings[list];
    return entries.some((entry) => keyOfSetting(list, entry) === key);
  };
