import { z } from "zod";
import { part } from "../scalars.ts";
import { commonSettings } from "./settings.ts";

export const numeric = part((s) => ({
  config: z
    .object({
      ...commonSettings(s),
      decimalPlaces: s.field("Most decimal places of the number", s.positive.optional()),
      units: s.field("Units that the number may be in", z.array(s.text).optional()),
    })
    .meta({ id: "NumericConfig" }),
  content: z
    .object({
      number: s.field("The number", s.number),
      unit: s.field("Unit of the number, one of those that the shape lists", s.text.optional()),
    })
    .meta({ id: "NumericContent" }),
}));
