import { type ContentModel, contentModelSteps, literalTemplate } from "@lading/schema/internal";

export interface OperationFile {
  version: string;
  operations: Record<string, unknown>[];
}

/**
 * Writes a content model as a mass operation file. Texts with braces become templates that render to them. Without item
 * ids, quick-select folders are left out.
 */
export function contentModelFile(model: ContentModel, { itemIds }: { itemIds: boolean }): OperationFile {
  const operations = contentModelSteps(model).map(({ kind, definition }) => ({
    intent: `${kind}/upsert`,
    ...writtenMembers(definition, itemIds),
  }));
  return { version: "1.0.0", operations };
}

function written(value: unknown, itemIds: boolean, key = ""): unknown {
  if (typeof value === "string") return literalTemplate(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => written(member, itemIds));
  if (key === "quickSelect" && !itemIds && "folders" in value) return { ...value, folders: [] };
  return writtenMembers(value, itemIds);
}

const writtenMembers = (object: object, itemIds: boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([name, member]) => [name, written(member, itemIds, name)]));
