/** A tenant as commands see it: who it is, and the settings that operations depend on. */
export interface Tenant {
  readonly id: string;
  readonly identifier: string;
  readonly name: string;
  readonly rootItemId: string;
  readonly settings: TenantSettings;
}

export interface TenantSettings {
  /** The first is the default language. */
  languages: { code: string; name: string }[];
  /** The first is the default VAT type. */
  vatTypes: { id: string; name: string; percent: number }[];
  priceVariants: { identifier: string; name: string; currency: string }[];
  stockLocations: { identifier: string; name: string; allowNegativeStock?: boolean }[];
  /** Largest upload, in bytes. */
  uploadMaxBytes: number;
  /** How long a presigned upload request is valid, in seconds. */
  uploadLifetimeSeconds: number;
}

/** The settings of a new tenant: one of each. */
export const initialSettings = (vatTypeId: string): TenantSettings => ({
  languages: [{ code: "en", name: "English" }],
  vatTypes: [{ id: vatTypeId, name: "No tax", percent: 0 }],
  priceVariants: [{ identifier: "default", name: "Default", currency: "EUR" }],
  stockLocations: [{ identifier: "default", name: "Default" }],
  uploadMaxBytes: 1024 ** 3,
  uploadLifetimeSeconds: 15 * 60,
});
