import { z } from "zod";
import { part } from "../scalars.ts";
import { commonSettings } from "./settings.ts";

/** A number, and the unit that it is in. */
export const numeric = part((s) => ({
  config: z
    .object({
      ...commonSettings(s),
      decimalPlaces: s.positive.optional(),
      units: z.array(s.text).optional(),
    })
    .meta({ id: "NumericConfig" }),
  content: z.object({ number: s.number, unit: s.text.optional() }).meta({ id: "NumericContent" }),
}));
