import { reject } from "../../../errors.ts";
import type { Tenant, TenantSettings } from "../../../tenants/tenant.ts";

type Path = (string | number)[];

/** Ends the operation unless the language is one of the tenant's. */
export function requireLanguage({ settings }: Tenant, language: string): void {
  if (settings.languages.some(({ code }) => code === language)) return;
  const known = settings.languages.map(({ code }) => code);
  missing("language", language, known, ["language"]);
}

/** The VAT type to store: the one asked for, which must exist, else the tenant's first. */
export function vatTypeOf({ settings }: Tenant, id: string | undefined): string {
  const known = settings.vatTypes.map((type) => type.id);
  const chosen = id ?? known[0];
  if (chosen !== undefined && known.includes(chosen)) return chosen;
  return missing("VAT type", chosen ?? "", known, ["vatTypeId"]);
}

/** Ends the operation unless the price variant is one of the tenant's. */
export function requirePriceVariant({ settings }: Tenant, identifier: string, path: Path): void {
  if (settings.priceVariants.some((variant) => variant.identifier === identifier)) return;
  const known = settings.priceVariants.map((variant) => variant.identifier);
  missing("price variant", identifier, known, path);
}

/** The stock location of the tenant with this identifier. */
export function requireStockLocation(
  { settings }: Tenant,
  identifier: string,
  path: Path,
): TenantSettings["stockLocations"][number] {
  const location = settings.stockLocations.find((known) => known.identifier === identifier);
  if (location !== undefined) return location;
  const known = settings.stockLocations.map((each) => each.identifier);
  return missing("stock location", identifier, known, path);
}

function missing(what: string, asked: string, known: readonly string[], path: Path): never {
  const existing =
    known.length === 0 ? "it has none" : `it has ${known.map((name) => `"${name}"`).join(", ")}`;
  reject("SettingNotFoundError", `The tenant has no ${what} "${asked}"; ${existing}`, path);
}
