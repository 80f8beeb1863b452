import type { TenantSettings } from "./settings.ts";

export { initialSettings, type TenantSettings } from "./settings.ts";

/** A tenant as commands see it: its names, and the settings that operations depend on. */
export interface Tenant {
  readonly id: string;
  readonly identifier: string;
  readonly name: string;
  readonly rootItemId: string;
  readonly settings: TenantSettings;
  /** The languages in which items have aliases. */
  readonly aliasLanguages: readonly string[];
  /** The languages in which items have former paths. */
  readonly formerPathLanguages: readonly string[];
  /** True when images were released: a transaction that names one keeps it. */
  readonly hasReleasedImages: boolean;
}
