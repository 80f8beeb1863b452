import type { Command } from "../../domain/command.ts";
import { createShape, updateShape, wantShape } from "../../domain/shape/commands.ts";
import { shapes } from "../../storage/collections/shapes.ts";

export const command: Command<"shape/upsert"> = {
  keys: wantShape,
  async execute(context, payload) {
    const shape = await context.unit.get(shapes, payload.identifier);
    return shape === undefined ? createShape(context, payload) : updateShape(context, shape, payload);
  },
};
