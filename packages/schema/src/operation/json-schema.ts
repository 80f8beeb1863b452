import { z } from "zod";
import { operationFileSchema } from "./schemas.ts";

/**
 * The JSON Schema (draft 7, the one that editors know best) of a mass operation file. It describes what is written:
 * templates allowed, defaults not applied. Rules that JSON Schema has no words for are left to `checkOperation`.
 */
export function massOperationJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(operationFileSchema, { io: "input", target: "draft-7" });
  return { title: "Mass operation file", ...schema };
}

/** The text of `mass-operation.schema.json`, the file that the package ships. */
export function massOperationJsonSchemaText(): string {
  return `${JSON.stringify(massOperationJsonSchema(), null, 1)}\n`;
}
