import type { TenantSettings } from "./settings.ts";

export { initialSettings, type TenantSettings } from "./settings.ts";

/** A tenant, as commands see it: its names, and the settings that operations depend on. */
export interface Tenant {
  readonly id: string;
  readonly identifier: string;
  readonly name: string;
  readonly rootItemId: string;
  readonly settings: TenantSettings;
  readonly aliasLanguages: readonly string[];
  readonly formerPathLanguages: readonly string[];
  /** True when images were released: a transaction that names one keeps it. */
  readonly hasReleasedImages: boolean;
}
