import { fileLimits } from "@lading/schema";
import { SeenKeys } from "@lading/schema/internal/seen-keys";
import { DataError, type DataIssues } from "./issues.ts";
import type { Row } from "./row.ts";

/** Groups consecutive rows. Memory holds one group, and 24 bytes or more for each earlier one. */
export class Groups {
  readonly #issues: DataIssues;
  readonly #seen = new SeenKeys();
  #key: string | undefined;
  #rows: Row[] = [];
  #length = 0;

  constructor(issues: DataIssues) {
    this.#issues = issues;
  }

  /**
   * Adds a row, whose group has this key. Returns the previous group if the row begins another one.
   * @throws DataError when the group is too large
   */
  add(row: Row, key: string): readonly Row[] | undefined {
    if (key === this.#key) return this.#append(row);
    const done = this.end();
    this.#key = key;
    const earlier = this.#seen.add(key, row.line);
    if (earlier !== undefined) {
      const message = `this group has rows from line ${earlier} on, and others were between; sort the rows by it`;
      this.#issues.error("SplitGroup", message, row.line);
    }
    this.#append(row);
    return done;
  }

  /** Returns the last group. */
  end(): readonly Row[] | undefined {
    const rows = this.#rows;
    [this.#rows, this.#length] = [[], 0];
    return rows.length === 0 ? undefined : rows;
  }

  #append(row: Row): undefined {
    this.#rows.push(row);
    for (const cell of row.cells) this.#length += typeof cell === "string" ? cell.length : 8;
    if (this.#rows.length <= fileLimits.values && this.#length <= fileLimits.valueBytes) return;
    const message =
      `the group that begins on line ${this.#rows[0]!.line} has more than ${fileLimits.values} rows ` +
      `or ${fileLimits.valueBytes / 1024 ** 2} MiB, the limit of an operation`;
    throw new DataError("TooLarge", message, row.line);
  }
}
