import type { Command } from "../../domain/command.ts";
import { unknownPart } from "../../domain/content/unknown-part.ts";
import { updateShape, wantShape } from "../../domain/shape/commands.ts";
import { reject } from "../../errors.ts";
import { shapes } from "../../storage/collections/shapes.ts";

export const command: Command<"shape/update"> = {
  keys: wantShape,
  async execute(context, payload) {
    const shape = await context.unit.get(shapes, payload.identifier);
    if (shape === undefined)
      reject("ShapeNotFoundError", await unknownPart(context.unit, "shape", payload.identifier), [
        "identifier",
      ]);
    return updateShape(context, shape, payload);
  },
};
