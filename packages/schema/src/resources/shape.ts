import { z } from "zod";
import { componentDefinition } from "../components/component.ts";
import { part } from "../scalars.ts";
import { keyValue } from "./key-value.ts";

/** An update takes the whole definition: components that it does not list are dropped. */
export const piecePayload = part((s) =>
  z.object({
    identifier: s.textBetween(2, 64),
    name: s.filledName,
    components: z.array(componentDefinition(s)).nullish(),
  }),
);

/** The type of a shape cannot be changed, so an update has none. */
export const updateShape = part((s) =>
  piecePayload(s).extend({
    meta: keyValue(s).nullish(),
    variantComponents: z.array(componentDefinition(s)).nullish(),
  }),
);

/** Also for an upsert: the identifier says whether the shape exists. */
export const createShape = part((s) =>
  updateShape(s).extend({ type: s.oneOf(["product", "document", "folder"]) }),
);
