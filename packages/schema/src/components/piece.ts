import { z } from "zod";
import type { Scalars } from "../scalars.ts";
import type { ComponentContent, Nested } from "./component.ts";
import { commonSettings } from "./settings.ts";

/** The components of a piece, a definition shared by shapes. */
export const piece = (s: Scalars, nested: Nested) => ({
  config: z
    .object({ ...commonSettings(s), identifier: s.field("Identifier of the piece", s.filledText) })
    .meta({ id: "PieceConfig" }),
  content: z
    .object({
      identifier: s.field("Identifier of the piece", s.text),
      get components(): z.ZodArray<z.ZodType<ComponentContent>> {
        return s.field("Content of the components of the piece", z.array(nested.content()));
      },
    })
    .meta({ id: "PieceContent" }),
});
