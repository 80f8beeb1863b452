import type { Commands } from "../command.ts";
import { deleteShape, shapeCommands } from "./commands.ts";
import { deletePiece, pieceCommands } from "./piece-commands.ts";

export const shapeIntents = {
  "piece/create": pieceCommands.create,
  "piece/update": pieceCommands.update,
  "piece/upsert": pieceCommands.upsert,
  "piece/delete": deletePiece,
  "shape/create": shapeCommands.create,
  "shape/update": shapeCommands.update,
  "shape/upsert": shapeCommands.upsert,
  "shape/delete": deleteShape,
} satisfies Partial<Commands>;
