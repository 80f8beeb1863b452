import { type CompiledContent, type ComponentContent, compileContent } from "@lading/schema";
import type { PieceRow } from "../../../storage/collections/pieces.ts";
import type { ShapeRow } from "../../../storage/collections/shapes.ts";
import { withoutOrphans } from "../../content-rules/index.ts";

/** Leaves out orphaned content, which no operation can write. */
export type ReadableContent = (
  shapeIdentifier: string | null,
  list: "components" | "variantComponents",
  content: readonly ComponentContent[],
) => ComponentContent[];

/** Makes the function that removes what a content model has no component for. */
export function readableContent(shapes: readonly ShapeRow[], pieces: readonly PieceRow[]): ReadableContent {
  const shapesBy = new Map(shapes.map((shape) => [shape.identifier, shape]));
  const piecesBy = new Map<string, CompiledContent>(
    pieces.map(({ identifier, components }) => [identifier, compileContent(components)]),
  );
  return (identifier, list, content) =>
    withoutOrphans(content, shapesBy.get(identifier ?? "")?.[list] ?? [], (piece) => piecesBy.get(piece));
}
