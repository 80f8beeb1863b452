import type { z } from "zod";
import type { ComponentContent, ComponentDefinition, NestableContent } from "./component.ts";

/** The schemas that component types with nested components refer to. Functions, because each contains the others. */
export interface Nested {
  definition(): z.ZodType<ComponentDefinition>;
  content(): z.ZodType<ComponentContent>;
  /** Content inside a chunk or a choice. */
  nestable(): z.ZodType<NestableContent>;
}
