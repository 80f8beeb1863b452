import { z } from "zod";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

/** `html` is a list of fragments in the plain form; a file may also give one string. */
export const richText = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "RichTextConfig" }),
  content: z
    .object({ html: s.oneOrMany(s.text).optional(), json: z.array(s.json).optional() })
    .meta({ id: "RichTextContent" }),
}));
