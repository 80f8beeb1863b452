import { z } from "zod";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

const option = part((s) =>
  z
    .object({ key: s.text, value: s.text, isPreselected: s.boolean.optional() })
    .meta({ id: "SelectionOption" }),
);

/** Keys out of the configured options. */
export const selection = part((s) => ({
  config: limitedConfig(s, { options: z.array(option(s)) }).meta({ id: "SelectionConfig" }),
  content: z.object({ keys: z.array(s.text) }).meta({ id: "SelectionContent" }),
}));
