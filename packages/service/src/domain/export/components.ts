import { type ComponentContent, type ComponentDefinition, compileContent } from "@lading/schema";
import { pieces } from "../../storage/collections/pieces.ts";
import { withoutOrphans } from "../content-rules/orphans.ts";
import { allRows } from "../dump/pages.ts";
import { type Cell, type Column, type ExportScope, literal, type Template } from "./sheet.ts";

/** The content of a shape's components, without what is orphaned, which no operation can write. */
export type ReadableContent = (components: readonly ComponentContent[]) => readonly ComponentContent[];

export async function readableContentOf(
  scope: ExportScope,
  definitions: readonly ComponentDefinition[],
): Promise<ReadableContent> {
  const compiled = compileContent(definitions);
  const pieceRows = definitions.length === 0 ? [] : await allRows(scope, pieces);
  const byIdentifier = new Map(
    pieceRows.map(({ identifier, components }) => [identifier, compileContent(components)]),
  );
  return (components) =>
    withoutOrphans(components, compiled.definitions, (identifier) => byIdentifier.get(identifier));
}

/** A component whose content is one value: its type of cell, and its name in the content. */
function scalarOf({
  type,
  config,
}: ComponentDefinition): { type: "text" | "number" | "boolean"; of: string } | undefined {
  if (type === "singleLine") return { type: "text", of: "text" };
  if (type === "boolean") return { type: "boolean", of: "value" };
  if (type === "datetime") return { type: "text", of: "datetime" };
  if (type === "numeric" && (config?.numeric?.units ?? []).length === 0)
    return { type: "number", of: "number" };
  return undefined;
}

const isOneKey = ({ type, config }: ComponentDefinition) =>
  type === "selection" && config?.selection?.max === 1;

/** A column for each component of a shape. */
export const componentColumns = <Row>(
  definitions: readonly ComponentDefinition[],
  componentsOf: (row: Row) => readonly ComponentContent[],
  operation: Template,
  isDefault: boolean,
): Column<Row>[] =>
  definitions.map((definition) => {
    const { id, name, type, description } = definition;
    const contentOf = (row: Row): Cell =>
      componentsOf(row).find(({ componentId }) => componentId === id)?.[type] as Cell;
    const scalar = scalarOf(definition);
    const column = {
      name: `components.${id}`,
      about: description || `${name} (${type})`,
      ...(isDefault && { isDefault: true as const }),
      clears: true as const,
    };
    const write = (content: (cell: string) => unknown) => ({
      operation: (cell: string) => ({
        ...operation,
        component: { componentId: literal(id), [type]: content(cell) },
      }),
    });
    /** Content, or null if the cell is empty. */
    const unlessEmpty = (content: object) => ({
      ...content,
      $when: { [column.name]: { not: "" } },
      $else: null,
    });
    if (scalar !== undefined)
      return {
        ...column,
        type: scalar.type,
        value: (row) => (contentOf(row) as Record<string, Cell> | undefined)?.[scalar.of],
        write: write((cell) => unlessEmpty({ [scalar.of]: cell })),
      };
    if (isOneKey(definition))
      return {
        ...column,
        type: "text",
        value: (row) => (contentOf(row) as { keys?: string[] } | undefined)?.keys?.[0],
        write: write((cell) => unlessEmpty({ keys: [cell] })),
      };
    return { ...column, type: "json", value: contentOf, write: write((cell) => cell) };
  });
