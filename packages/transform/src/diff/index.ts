export type { Changes, Count, Differences } from "./changes.ts";
export { compare } from "./compare.ts";
export {
  deferredOperation,
  type IndexedDump,
  isTemporary,
  type Operation,
  type PartIntent,
  partIntents,
  type RecordKind,
  Records,
  recordKinds,
  rootId,
  skusOf,
  withoutComma,
} from "./indexed-dump.ts";
export { KeyTable, keyOf } from "./key-table.ts";
