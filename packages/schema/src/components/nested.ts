import { z } from "zod";
import type { Scalars } from "../scalars.ts";
import type { ComponentContent, ComponentDefinition, NestableContent, Nested } from "./component.ts";
import { commonSettings } from "./settings.ts";

/** The components of a piece, a definition shared by shapes. */
export const piece = (s: Scalars, nested: Nested) => ({
  config: z
    .object({ ...commonSettings(s), identifier: s.field("Identifier of the piece", s.filledText) })
    .meta({ id: "PieceConfig" }),
  content: z
    .object({
      identifier: s.field("Identifier of the piece", s.text),
      get components(): z.ZodArray<z.ZodType<ComponentContent>> {
        return s.field("Content of the components of the piece", z.array(nested.content()));
      },
    })
    .meta({ id: "PieceContent" }),
});

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
