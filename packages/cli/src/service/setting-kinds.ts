import { keysOf } from "@lading/schema/internal/tables";

/** An option of `tenant settings add`. */
export type SettingOption = "currency" | "percent" | "minimum" | "unlimited" | "default";

/** One kind of settings: its words on the command line, and its words in the API. */
export interface SettingKind {
  /** The noun for an entry. */
  what: string;
  title: string;
  /** The field of the tenant that lists the entries. */
  list: string;
  /** The end of the mutations' names: `createLanguage`. */
  type: string;
  /** The property by which an entry is named. */
  key: "code" | "id" | "identifier";
  /** The properties of an entry, without its key. */
  fields: readonly string[];
  /** The options that apply to an entry; those that are required first, marked by `required`. */
  options: readonly SettingOption[];
  required?: SettingOption;
}

export const settingKinds = {
  language: {
    what: "language",
    title: "Languages",
    list: "languages",
    type: "Language",
    key: "code",
    fields: ["name", "isDefault"],
    options: ["default"],
  },
  "vat-type": {
    what: "VAT type",
    title: "VAT types",
    list: "vatTypes",
    type: "VatType",
    key: "id",
    fields: ["name", "percent", "isDefault"],
    options: ["percent", "default"],
    required: "percent",
  },
  "price-variant": {
    what: "price variant",
    title: "Price variants",
    list: "priceVariants",
    type: "PriceVariant",
    key: "identifier",
    fields: ["name", "currency", "isDefault"],
    options: ["currency", "default"],
    required: "currency",
  },
  "stock-location": {
    what: "stock location",
    title: "Stock locations",
    list: "stockLocations",
    type: "StockLocation",
    key: "identifier",
    fields: ["name", "settings { minimum unlimited }", "isDefault"],
    options: ["minimum", "unlimited", "default"],
  },
  market: {
    what: "market",
    title: "Markets",
    list: "markets",
    type: "Market",
    key: "identifier",
    fields: ["name"],
    options: [],
  },
} as const satisfies Record<string, SettingKind>;

export type KindName = keyof typeof settingKinds;

export const kindNames = keysOf(settingKinds);

/** Returns the row of a kind, without the narrower types of its literal. */
export const kindOf = (name: KindName): SettingKind => settingKinds[name];
