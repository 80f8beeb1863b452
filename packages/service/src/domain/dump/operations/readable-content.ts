import { type CompiledContent, type ComponentContent, compileContent } from "@lading/schema";
import type { ItemRow } from "../../../storage/collections/items.ts";
import type { PieceRow } from "../../../storage/collections/pieces.ts";
import type { ShapeRow } from "../../../storage/collections/shapes.ts";
import { withoutOrphans } from "../../content-rules/index.ts";
import type { Omissions } from "../omissions.ts";

/** Leaves out orphaned content of an item, which no operation can write. */
export type ReadableContent = (
  item: Pick<ItemRow, "id" | "shapeIdentifier">,
  list: "components" | "variantComponents",
  content: readonly ComponentContent[],
) => ComponentContent[];

/** Makes the function that removes what a content model has no component for, and notes of which items. */
export function readableContent(
  shapes: readonly ShapeRow[],
  pieces: readonly PieceRow[],
  omissions: Omissions,
): ReadableContent {
  const shapesBy = new Map(shapes.map((shape) => [shape.identifier, shape]));
  const piecesBy = new Map<string, CompiledContent>(
    pieces.map(({ identifier, components }) => [identifier, compileContent(components)]),
  );
  let noted: string | undefined;
  return ({ id, shapeIdentifier }, list, content) => {
    const shape = shapeIdentifier ?? "";
    const note = () => {
      if (noted !== id) omissions.add("orphaned content of an item", id, shape);
      noted = id;
    };
    const definitions = shapesBy.get(shape)?.[list] ?? [];
    return withoutOrphans(content, definitions, (piece) => piecesBy.get(piece), note);
  };
}
