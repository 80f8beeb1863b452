import { z } from "zod";
import type { Scalars } from "../scalars.ts";
import type { ComponentDefinition, NestableContent, Nested } from "./component.ts";
import { commonSettings } from "./settings.ts";

/** Components that belong together; if repeatable, any number of such rows. */
export const contentChunk = (s: Scalars, nested: Nested) => ({
  config: s.normalised(settings(s, nested), withoutDefaults).meta({ id: "ContentChunkConfig" }),
  content: z
    .object({
      get chunks(): z.ZodArray<z.ZodArray<z.ZodType<NestableContent>>> {
        return s.field(
          "Rows of components; one row unless the chunk is repeatable",
          z.array(z.array(nested.nestable())),
        );
      },
    })
    .meta({ id: "ContentChunkContent" }),
});

const settings = (s: Scalars, nested: Nested) =>
  z.object({
    ...commonSettings(s),
    get components(): z.ZodArray<z.ZodType<ComponentDefinition>> {
      return s.field("The components of a row", z.array(nested.definition()));
    },
    repeatable: s.field("True if there may be any number of rows", s.boolean.optional()),
  });

/** `repeatable: false` and its absence mean the same, and are stored the same. */
function withoutDefaults({ repeatable, ...others }: z.output<ReturnType<typeof settings>>) {
  return repeatable ? { ...others, repeatable } : others;
}
