import { CellError, type DataIssues } from "../issues.ts";
import type { ExportedTable, Row, WrongCell } from "../row.ts";

/**
 * Finds what was edited in the rows of an exported table.
 * @param isSheet false for NDJSON, whose texts are as they were exported
 */
export async function* exportedRows(
  batches: AsyncIterable<readonly Row[]>,
  exported: ExportedTable,
  issues: DataIssues,
  { isSheet, isShown }: { isSheet: boolean; isShown: boolean },
): AsyncGenerator<Row[]> {
  for await (const batch of batches) {
    const rows: Row[] = [];
    for (const row of batch) {
      const refuse = ({ code, message, column }: WrongCell) => issues.error(code, message, row.line, column);
      try {
        const plain = isSheet ? { ...row, cells: row.cells.map(withoutGuard) } : row;
        rows.push(exported.withEdits(plain, isShown, refuse));
      } catch (error) {
        if (!(error instanceof CellError)) throw error;
        refuse(error);
      }
    }
    yield rows;
  }
}

/** Takes away what keeps a text from being a formula or a number: `'=A1` is `=A1`, `="007"` is `007`. */
function withoutGuard(cell: unknown): unknown {
  if (typeof cell !== "string") return cell;
  if (/^'+[=+\-@\t\r]/.test(cell)) return cell.slice(1);
  const [, text] = /^="([^"]*(?:""[^"]*)*)"$/.exec(cell) ?? [];
  return text === undefined ? cell : text.replaceAll('""', '"');
}
