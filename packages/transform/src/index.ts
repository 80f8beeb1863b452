export type { DelimiterName, Encoding, Format, TableOptions } from "./choices.ts";
export { type Counts, convert } from "./convert.ts";
export {
  DataError,
  type DataIssue,
  type DataIssueCode,
  DataIssues,
  dataIssueCodes,
  InvalidData,
} from "./issues.ts";
export { conversionLimits } from "./limits.ts";
export type { LookupTable } from "./lookup-table.ts";
export { type CompiledMap, compileMap } from "./map/compile-map.ts";
export { documentOf } from "./read/document.ts";
export { firstRows } from "./read/first-rows.ts";
export { rowsOf } from "./read/rows.ts";
export { UnknownColumns } from "./read/unknown-columns.ts";
export type { Row, UsedColumns } from "./row.ts";
