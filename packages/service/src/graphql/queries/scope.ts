import { reject } from "../../errors.ts";
import type { ItemVersion } from "../../storage/collections/item-contents.ts";
import type { ItemScope } from "../../storage/queries/items.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import { alternatives } from "../../tenants/alternatives.ts";
import { lenientEnum } from "../derive/input-types.ts";

/** The versions of an item: the current draft and the last published one. */
export const VersionLabel = lenientEnum("VersionLabel", ["draft", "published"]);

/** The requested scope. Rejects with `SettingNotFoundError` when the tenant has no such language. */
export function scopeOf(
  { settings }: Tenant,
  { language, version }: { language: string; version?: ItemVersion | null },
): ItemScope {
  const codes = settings.languages.map(({ code }) => code);
  if (!codes.includes(language))
    reject(
      "SettingNotFoundError",
      `The tenant has no language "${language}"; ${alternatives(language, codes)}`,
      ["language"],
    );
  return { language, version: version ?? "draft" };
}
