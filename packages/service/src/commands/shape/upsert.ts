import { shapes } from "../../storage/collections/shapes.ts";
import type { Command } from "../command.ts";
import { createShape, updateShape, wantShape } from "./write.ts";

export const command: Command<"shape/upsert"> = {
  keys: wantShape,
  async execute(context, payload) {
    const shape = await context.unit.get(shapes, payload.identifier);
    return shape === undefined ? createShape(context, payload) : updateShape(context, shape, payload);
  },
};
