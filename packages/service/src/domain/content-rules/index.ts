export { definitionOfContent, withoutOrphans } from "./orphans.ts";
export { piecesInDefinitions, pieceUses, referencesInContent } from "./references.ts";
export { sharesAlready, sharesContent, withShared, withUnmentioned } from "./shared.ts";
export { whereIn } from "./where.ts";
