import { z } from "zod";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

const option = part((s) =>
  z
    .object({
      key: s.field("Key that the content refers to", s.text),
      value: s.field("Text that people see", s.text),
      isPreselected: s.field("True if the option is selected at first", s.boolean.optional()),
    })
    .meta({ id: "SelectionOption" }),
);

/** Keys of the configured options. */
export const selection = part((s) => ({
  config: limitedConfig(s, { options: s.field("The options to choose from", z.array(option(s))) }).meta({
    id: "SelectionConfig",
  }),
  content: z
    .object({ keys: s.field("Keys of the selected options", z.array(s.text)) })
    .meta({ id: "SelectionContent" }),
}));
