import { quoted } from "@lading/schema/internal";
import { DataError, type DataIssues, InvalidData } from "./issues.ts";
import { conversionLimits } from "./limits.ts";
import { cellText, type Row, UsedColumns } from "./row.ts";

/** A further table, in whose rows cells are looked up by key. It is kept in memory, with the columns that are read. */
export class LookupTable {
  readonly columns: UsedColumns;
  readonly name: string;
  readonly keyName: string;
  readonly #key: number;
  #rows: Map<string, Row> | undefined;

  /** @internal */
  constructor(name: string, key: string) {
    this.name = name;
    this.keyName = key;
    this.columns = new UsedColumns(`the table ${quoted(name)}`);
    this.#key = this.columns.slotOf(key, ["tables", name, "key"]);
  }

  /**
   * Reads the rows, in place of earlier ones.
   * @throws InvalidData when the table has errors, UnknownColumns when its header lacks columns
   */
  async read(batches: AsyncIterable<readonly Row[]>, issues: DataIssues): Promise<void> {
    const rows = new Map<string, Row>();
    try {
      let size = 0;
      for await (const batch of batches) for (const row of batch) size = this.#add(row, rows, size, issues);
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      issues.end(error);
    }
    if (issues.errorCount > 0) throw new InvalidData("The data has errors.");
    this.#rows = rows;
  }

  /** Adds a row. Returns the size with it. */
  #add(row: Row, rows: Map<string, Row>, before: number, issues: DataIssues): number {
    const key = cellText(row.cells[this.#key]).trim();
    // No cell is looked up that is empty.
    if (key === "") return before;
    const earlier = rows.get(key);
    if (earlier !== undefined) {
      const message = `the key ${quoted(key)} is on line ${earlier.line}, too`;
      issues.error("DuplicateKey", message, row.line, this.keyName);
    } else rows.set(key, row);
    let size = before + 32;
    for (const cell of row.cells) size += typeof cell === "string" ? cell.length : cellText(cell).length;
    if (size > conversionLimits.tableLength)
      throw new DataError(
        "TooLarge",
        `the cells up to this line are larger than ${conversionLimits.tableLength / 1024 ** 2} MiB, the limit of a table for lookups`,
        row.line,
      );
    return size;
  }

  /** The row with a key; undefined where there is none. @internal */
  row(key: string): Row | undefined {
    if (this.#rows === undefined) throw new Error(`The table "${this.name}" was not read.`);
    return this.#rows.get(key.trim());
  }
}
