import { reject } from "../../errors.ts";
import { unknownPart } from "../../rules/unknown-part.ts";
import { shapes } from "../../storage/collections/shapes.ts";
import type { Command } from "../command.ts";
import { updateShape, wantShape } from "./write.ts";

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
