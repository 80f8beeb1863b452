import { z } from "zod";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

export const singleLine = part((s) => ({
  config: limitedConfig(s, { pattern: s.text.optional() }).meta({ id: "SingleLineConfig" }),
  content: z.object({ text: s.text.optional() }).meta({ id: "SingleLineContent" }),
}));
