import { z } from "zod";
import type { Scalars } from "../scalars.ts";
import type { ComponentDefinition, Nested } from "./component.ts";
import { commonSettings } from "./settings.ts";

/** Any number of several components, in order. */
export const componentMultipleChoice = (s: Scalars, nested: Nested) => ({
  config: z
    .object({
      ...commonSettings(s),
      get choices(): z.ZodArray<z.ZodType<ComponentDefinition>> {
        return s.field("The components to choose any number from", z.array(nested.definition()));
      },
      allowDuplicates: s.field("True if a component may be chosen more than once", s.boolean.optional()),
    })
    .meta({ id: "ComponentMultipleChoiceConfig" }),
  get content() {
    return z.array(nested.nestable());
  },
});
