export type { DelimiterName, Encoding, Format, TableOptions } from "./choices.ts";
export { type Counts, convert, InvalidData } from "./convert.ts";
export { DataError, type DataIssue, type DataIssueCode, DataIssues, dataIssueCodes } from "./issues.ts";
export { type CompiledMap, compileMap } from "./map/compile-map.ts";
export { conversionLimits } from "./map/scope.ts";
export { rowsOf } from "./read/rows.ts";
export { UnknownColumns } from "./read/unknown-columns.ts";
export type { Row, UsedColumns } from "./row.ts";
