import type { z } from "zod";
import type { ComponentContent, ComponentDefinition, NestableContent } from "./component.ts";

/** What the component types that hold other components are defined over. Functions, as each contains the others. */
export interface Nested {
  definition(): z.ZodType<ComponentDefinition>;
  content(): z.ZodType<ComponentContent>;
  /** Content inside a chunk or a choice. */
  nestable(): z.ZodType<NestableContent>;
}
