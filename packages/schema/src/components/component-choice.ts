import { z } from "zod";
import type { Scalars } from "../scalars.ts";
import type { ComponentDefinition, Nested } from "./component.ts";
import { commonSettings } from "./settings.ts";

/** Exactly one of several components; the content is that of the chosen one. */
export const componentChoice = (s: Scalars, nested: Nested) => ({
  config: z
    .object({
      ...commonSettings(s),
      get choices(): z.ZodArray<z.ZodType<ComponentDefinition>> {
        return s.field("The components to choose one from", z.array(nested.definition()));
      },
    })
    .meta({ id: "ComponentChoiceConfig" }),
  get content() {
    return nested.nestable();
  },
});
