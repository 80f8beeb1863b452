import type { ConversionMap, JsonPath, Problem } from "@lading/schema";
import type { ReadCell } from "../cells/read-cell.ts";
import type { UsedColumns } from "../row.ts";

/** The state of a compilation. */
export interface Compilation {
  readonly map: ConversionMap;
  readonly columns: UsedColumns;
  /** The reader of a column's cells. */
  readerOf(column: string): ReadCell;
  readonly problems: Problem[];
  /** References to operations in the templates that are left for the run. */
  readonly references: { readonly name: string; readonly keys: readonly string[]; readonly path: JsonPath }[];
}
