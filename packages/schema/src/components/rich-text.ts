import { z } from "zod";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

/** `html` is a list of fragments in the plain form; a file may also give one string. */
export const richText = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "RichTextConfig" }),
  content: z
    .object({
      html: s.field(
        "The text as HTML, in one piece or as a list of fragments",
        s.oneOrMany(s.text).optional(),
      ),
      json: s.field("The text as a list of nodes", z.array(s.json).optional()),
    })
    .meta({ id: "RichTextContent" }),
}));
