import { SeenKeys } from "@lading/schema/internal/seen-keys";
import { Groups } from "./groups.ts";
import { CellError, DataError, type DataIssues, InvalidData } from "./issues.ts";
import type { CompiledMap } from "./map/compile-map.ts";
import { operationsOf } from "./operations.ts";
import type { Row } from "./row.ts";

export interface Counts {
  rows: number;
  /** Rows that do not meet the map's conditions. */
  leftOut: number;
  operations: number;
}

/** Size of output chunks, in UTF-16 units. */
const blockLength = 64 * 1024;

/**
 * Yields the text of an operation file in pieces, one operation per line.
 *
 * @param onGroup called with each row or group of rows, and the operations that it becomes, as JSON
 * @throws InvalidData when the data has errors, once all of it was read; the text is incomplete then
 */
export async function* convert(
  batches: AsyncIterable<readonly Row[]>,
  map: CompiledMap,
  issues: DataIssues,
  counts: Counts,
  onGroup?: (rows: readonly Row[], operations: readonly string[]) => void,
): AsyncGenerator<string> {
  let block = '{"version":"1.0.0","operations":[';
  const write = (text: string) => {
    block += `${counts.operations === 0 ? "\n" : ",\n"}${text}`;
    counts.operations++;
  };
  const seen = map.operations.map(() => new SeenKeys());
  for (const operation of map.before) write(JSON.stringify(operation));
  try {
    for await (const group of groupsOf(batches, map, issues, counts)) {
      const texts = operationsOf(group, map, issues, seen);
      onGroup?.(group, texts);
      if (issues.errorCount > 0) continue;
      for (const text of texts) write(text);
      if (block.length < blockLength) continue;
      yield block;
      block = "";
    }
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    issues.end(error);
  }
  if (issues.errorCount > 0) throw new InvalidData("The data has errors.");
  yield `${block}\n]}\n`;
}

/** The groups of rows that become operations. */
async function* groupsOf(
  batches: AsyncIterable<readonly Row[]>,
  { isWanted, groupOf }: CompiledMap,
  issues: DataIssues,
  counts: Counts,
): AsyncGenerator<readonly Row[]> {
  const groups = groupOf && new Groups(issues);
  for await (const rows of batches) {
    counts.rows += rows.length;
    for (const row of rows) {
      const key = keyOf(row, isWanted, groupOf, issues);
      if (key === undefined) counts.leftOut++;
      else if (groups === undefined) yield [row];
      else {
        const group = groups.add(row, key);
        if (group !== undefined) yield group;
      }
    }
  }
  const last = groups?.end();
  if (last !== undefined) yield last;
}

/** The key of a row's group; undefined for one that is left out, or whose cells are wrong, which is an issue. */
function keyOf(
  row: Row,
  isWanted: CompiledMap["isWanted"],
  groupOf: CompiledMap["groupOf"],
  issues: DataIssues,
): string | undefined {
  try {
    return isWanted(row) ? (groupOf?.(row) ?? "") : undefined;
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    issues.error(error.code, error.message, row.line, error.column);
    return undefined;
  }
}
