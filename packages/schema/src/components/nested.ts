import type { z } from "zod";
import type { ComponentContent, ComponentDefinition, NestableContent } from "./component.ts";

/** The schemas for component types with nested components. They are functions because they contain each other. */
export interface Nested {
  definition(): z.ZodType<ComponentDefinition>;
  content(): z.ZodType<ComponentContent>;
  /** Content inside a chunk or a choice. */
  nestable(): z.ZodType<NestableContent>;
}
