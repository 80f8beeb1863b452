import type { ExportKind } from "@lading/schema/internal/export-kinds";

/** A choice of rows and columns to export. */
export interface Exported {
  kind: ExportKind;
  shape?: string | undefined;
  language?: string | undefined;
  /** The folder that the rows are in. */
  folder?: string | undefined;
  /** True if the rows of its subfolders are exported, too. */
  deep?: boolean | undefined;
  /** Further conditions. */
  where?: string | undefined;
  /** Names, separated by commas; by default those of the kind. */
  columns?: string | undefined;
  publish?: boolean | undefined;
}

const itemKinds: readonly ExportKind[] = ["products", "content"];

/** True for what has drafts that can be published. */
export const isPublishable = (kind: ExportKind) => itemKinds.includes(kind);

/** True for kinds that can be narrowed to a folder; those that are no items always with its subfolders. */
export const isInFolders = (kind: ExportKind) => [...itemKinds, "variants", "prices", "stock"].includes(kind);

/** True for kinds that have names by language. */
export const isInLanguage = (kind: ExportKind) =>
  isPublishable(kind) || kind === "variants" || kind === "topics";

/** True for kinds that can have the components of a shape as columns. */
export const hasShapes = (kind: ExportKind) => isPublishable(kind) || kind === "variants";

/** The address of an export in a form: the table, its map, or its columns. */
export function exportAddress(
  tenant: string,
  { kind, shape, language, columns, publish, ...exported }: Exported,
  form: Readonly<Record<string, string>>,
): string {
  const given = {
    ...{ kind, ...form, columns, where: conditionsOf({ kind, ...exported }) },
    ...(hasShapes(kind) && { shape }),
    ...(isInLanguage(kind) && { language }),
    ...(isPublishable(kind) && publish && { publish: "true" }),
  };
  const query = Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `/@${tenant}/export?${new URLSearchParams(query)}`;
}

function conditionsOf({ kind, folder, deep, where }: Exported): string {
  const isHere = folder !== undefined && isInFolders(kind);
  return [
    ...(isHere ? [`below = ${folder}`] : []),
    ...(isHere && isPublishable(kind) && !deep ? [`parentId = ${folder}`] : []),
    ...(where ? [where] : []),
  ].join(" and ");
}
