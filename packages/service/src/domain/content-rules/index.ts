export { compileContent } from "./compile.ts";
export { validateDefinitions } from "./definitions.ts";
export { ceilings } from "./limits.ts";
export { definitionOfContent, withoutOrphans } from "./orphans.ts";
export { piecesInDefinitions, pieceUses, referencesInContent } from "./references.ts";
export type { FileUse, PatternTime, RelationUse, Uses } from "./report.ts";
export { isShared, sharesAlready, sharesContent, withShared, withUnmentioned } from "./shared.ts";
export type { CompiledContent, PieceLookup, ValidatedContent } from "./walk.ts";
export { whereIn } from "./where.ts";
