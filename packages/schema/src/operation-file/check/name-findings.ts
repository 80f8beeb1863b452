import { defaultsName } from "../../templates/names.ts";
import type { Finding } from "../report/finding.ts";
import { type Definition, define, definitionOf, type References } from "./references.ts";

/** Defines the name of an operation for those after it, and says when it hides another. */
export function nameFindings(references: References, name: string, definition: Definition): Finding[] {
  const earlier = definitionOf(references, name);
  define(references, name, definition);
  const finding = { severity: "warning", pointer: "/_ref" } as const;
  if (name === defaultsName) {
    const message = `templates find the default context variables under "${name}", never this operation`;
    return [{ ...finding, code: "ReservedReference", message }];
  }
  if (earlier === undefined) return [];
  const message = `operations[${earlier.index}] has the same _ref; later templates read this operation`;
  return [{ ...finding, code: "DuplicateReference", message }];
}
