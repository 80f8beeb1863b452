import type { Context } from "../../../context.ts";
import { delimiters, type Format, type TableOptions } from "../choices.ts";
import type { DataIssues } from "../issues.ts";
import type { Row, UsedColumns } from "../row.ts";
import { readCsv } from "./csv.ts";
import { dataOf } from "./data.ts";
import { utf8Of } from "./encoding.ts";
import { readNdjson } from "./ndjson.ts";

/** Streams the rows of a table, with the cells that the map reads. */
export function rowsOf(
  context: Context,
  file: string,
  columns: UsedColumns,
  issues: DataIssues,
  { format = formatOf(file), delimiter, encoding }: TableOptions,
): AsyncGenerator<Row[]> {
  const text = utf8Of(dataOf(context, file), encoding);
  if (format === "ndjson") return readNdjson(text, columns, issues);
  return readCsv(text, columns, issues, delimiter && delimiters[delimiter]);
}

const formatOf = (file: string): Format => (/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(file) ? "ndjson" : "csv");
