import type { Command } from "../../domain/command.ts";
import { noteParts } from "../../domain/content/unknown-part.ts";
import { refuseUsed } from "../../domain/payload/in-use.ts";
import { requireStoredShape } from "../../domain/shape/commands.ts";
import { shapes } from "../../storage/collections/shapes.ts";
import { flowsRestrictedTo } from "../../storage/queries/flows.ts";
import { itemsWithShape } from "../../storage/queries/items.ts";

/** Deletes a shape that no item has and no flow is restricted to. Relations that accept it keep its identifier. */
export const command: Command<"shape/delete"> = {
  keys: ({ identifier }, prefetch) => prefetch(shapes, "key", [identifier]),
  async execute({ unit }, { identifier }) {
    // No key stops another writer from restricting a flow to the shape.
    unit.needTurn("alone");
    const shape = await requireStoredShape(unit, identifier);
    await refuseUsed(
      "ShapeInUseError",
      { what: "shape", identifier, remedy: "delete the items, or take the shape out of the flows, first" },
      (most) => flowsRestrictedTo(unit, identifier, most),
      (most) => itemsWithShape(unit, identifier, most),
    );
    unit.remove(shapes, shape);
    noteParts(unit, "shape");
    return { action: "deleted", output: { identifier } };
  },
};
