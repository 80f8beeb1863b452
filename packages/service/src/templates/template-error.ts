import type { JsonPath } from "@lading/schema";
import type { ErrorName } from "../errors.ts";

export class TemplateError extends Error {
  override readonly name = "TemplateError";
  /** TemplateError, FailedDependency, or the name of a helper's rejection. */
  readonly code: ErrorName;
  readonly path: JsonPath;

  constructor(message: string, code: ErrorName = "TemplateError", path: JsonPath = []) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
