import { z } from "zod";
import { part } from "../scalars.ts";
import { commonSettings } from "./settings.ts";

/** Yes, no, or not said. */
export const boolean = part((s) => ({
  config: z.object(commonSettings(s)).meta({ id: "BooleanConfig" }),
  content: z.object({ value: s.field("True or false", s.boolean.optional()) }).meta({ id: "BooleanContent" }),
}));
