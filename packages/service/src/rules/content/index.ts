export { type CompiledContent, compileContent, type ValidatedContent } from "./compile.ts";
export { validateDefinitions } from "./definitions.ts";
export { ceilings } from "./limits.ts";
export { definitionOfContent, withoutOrphans } from "./orphans.ts";
export { type ContentReferences, piecesInDefinitions, referencesInContent } from "./references.ts";
export { isShared, sharesAlready, sharesContent, withShared, withUnmentioned } from "./shared.ts";
export type { FileUse, RelationUse, Uses } from "./uses.ts";
export type { PieceLookup } from "./walk.ts";
export { whereIn } from "./where.ts";
