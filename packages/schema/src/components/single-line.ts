import { z } from "zod";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

/** A line of text; `pattern` is a regular expression that it must match. */
export const singleLine = part((s) => ({
  config: limitedConfig(s, {
    pattern: s.field("Regular expression that the text must match", s.text.optional()),
  }).meta({ id: "SingleLineConfig" }),
  content: z.object({ text: s.field("The text", s.text.optional()) }).meta({ id: "SingleLineContent" }),
}));
