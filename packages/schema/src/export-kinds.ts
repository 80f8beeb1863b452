import { entityKinds, nounOf } from "./identity/natural-key.ts";

/** The kinds of tables that a tenant's data is exported as. */
export const exportKinds = [
  ...["products", "variants", "prices", "stock", "content", "customers", "orders"],
  ...["topics", "price-lists", "images"],
] as const;

export type ExportKind = (typeof exportKinds)[number];

/** Kinds of personal data, which only admins export. */
export const personalExportKinds: readonly ExportKind[] = exportKinds.filter((kind) =>
  entityKinds.some((entity) => nounOf(entity).isPersonal && nounOf(entity).dump === kind),
);

/** A column that an export may have. */
export interface ExportColumn {
  readonly name: string;
  readonly about: string;
  readonly isKey: boolean;
  readonly isDefault: boolean;
  readonly isReadOnly: boolean;
}
