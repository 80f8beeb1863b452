export { compileContent, isShared } from "./compile.ts";
export { validateDefinitions } from "./definitions.ts";
export { leafChecks } from "./leaf-checks.ts";
export { ceilings } from "./limits.ts";
export { plainTextOf } from "./plain-text.ts";
export * from "./problems.ts";
export type { FileUse, PatternTime, RelationUse, Uses } from "./report.ts";
export type { CompiledContent, PieceLookup, ValidatedContent } from "./walk.ts";
