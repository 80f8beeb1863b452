import type { Commands } from "../command.ts";
import { deleteShape, renameShapeComponent, shapeCommands } from "./commands.ts";
import { deletePiece, pieceCommands, renamePieceComponent } from "./piece-commands.ts";

export const shapeIntents = {
  "piece/create": pieceCommands.create,
  "piece/update": pieceCommands.update,
  "piece/upsert": pieceCommands.upsert,
  "piece/delete": deletePiece,
  "piece/component/rename": renamePieceComponent,
  "shape/create": shapeCommands.create,
  "shape/update": shapeCommands.update,
  "shape/upsert": shapeCommands.upsert,
  "shape/delete": deleteShape,
  "shape/component/rename": renameShapeComponent,
} satisfies Partial<Commands>;
