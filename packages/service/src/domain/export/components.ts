import {
  type ComponentContent,
  type ComponentDefinition,
  compileContent,
  keyOf,
} from "@lading/schema/internal";
import { pieces } from "../../storage/collections/pieces.ts";
import { namedContent } from "../content-rules/orphans.ts";
import { allRows } from "../dump/pages.ts";
import type { Cell } from "./cell.ts";
import { type Column, type ExportScope, literal, type Template } from "./sheet.ts";

/** Content by the id of its component. */
export type ContentById = ReadonlyMap<string, ComponentContent>;

/** Makes a function that leaves out content that is orphaned, which no operation can write. */
export async function contentReader(
  scope: ExportScope,
  components: readonly ComponentDefinition[],
): Promise<(content: readonly ComponentContent[]) => ContentById> {
  const definitions = new Map(components.map((definition) => [keyOf(definition), definition]));
  const pieceRows = components.length === 0 ? [] : await allRows(scope, pieces);
  const byIdentifier = new Map(
    pieceRows.map(({ identifier, components }) => [identifier, compileContent(components)]),
  );
  const readable = (content: ComponentContent) => {
    const definition = definitions.get(content.componentId);
    return definition === undefined
      ? []
      : namedContent([content], [definition], (identifier) => byIdentifier.get(identifier));
  };
  return (content) =>
    new Map(content.flatMap(readable).map((component) => [component.componentId, component]));
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
  contentOf: (row: Row) => ContentById,
  operation: Template,
  isDefault: boolean,
): Column<Row>[] =>
  definitions.map((definition) => {
    const { id, name, type, description } = definition;
    const storedIn = (row: Row): Cell => contentOf(row).get(id)?.[type];
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
        value: (row) => (storedIn(row) as Record<string, Cell> | undefined)?.[scalar.of],
        write: write((cell) => unlessEmpty({ [scalar.of]: cell })),
      };
    if (isOneKey(definition))
      return {
        ...column,
        type: "text",
        value: (row) => (storedIn(row) as { keys?: string[] } | undefined)?.keys?.[0],
        write: write((cell) => unlessEmpty({ keys: [cell] })),
      };
    return { ...column, type: "json", value: storedIn, write: write((cell) => cell) };
  });
