/** A row of the table, with only the cells that the map reads. */
export interface Row {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /**
   * The cells, in the order of the columns that the map reads: texts, and of NDJSON any value of JSON, undefined where
   * the object has no such key.
   */
  readonly cells: readonly unknown[];
  /** The cells as operations read them: `omitted` for one that was not edited. Absent without an export. @internal */
  readonly edits?: readonly unknown[];
  /** The slots of cells that are dates in a workbook. @internal */
  readonly dates?: ReadonlySet<number>;
}

/** An entry of a cell's list, in place of that cell where a part of an operation is repeated for each. */
export class ListEntry {
  /** The entry as written: a text, or a value of NDJSON. */
  readonly cell: unknown;
  /** The number of lists that it is within. */
  readonly level: number;

  constructor(cell: unknown, level: number) {
    this.cell = cell;
    this.level = level;
  }
}

/** A cell that cannot be read, and why. */
export interface WrongCell {
  readonly code: string;
  readonly message: string;
  readonly column: string | undefined;
}

/** Finds what was edited in an exported table. */
export interface ExportedTable {
  /** The name of the column that says what was exported; undefined where every filled cell counts as edited. */
  readonly marksName: string | undefined;
  /** True for a column that a table need not have, or whose absence has an error of its own. */
  has(name: string): boolean;
  /**
   * Refuses a table without marks, and one in which a column was renamed.
   *
   * @param others columns of the table that the map does not read
   * @throws DataError
   */
  checkNames(lacks: (name: string) => boolean, others: readonly string[], line?: number): void;
  /**
   * The row with what operations read of it: the cells that were edited.
   *
   * @param isShown true for CSV, where a spreadsheet writes the texts that it showed
   * @param onWrong called with each cell that cannot be edited
   * @throws CellError for marks that are none
   */
  withEdits(row: Row, isShown: boolean, onWrong: (cell: WrongCell) => void): Row;
}

/** The columns of a table that are read, in the order of their first use. A slot is the index of one. */
export class UsedColumns {
  /** The table, in messages. */
  readonly table: string;
  /** True when all columns of the table are read, whatever their names. @internal */
  readonly areAll: boolean;
  /** Of a column with several names, the one that the table has. */
  readonly names: string[] = [];
  /** The names that each column may have, in the order of preference. @internal */
  readonly choices: (readonly string[])[] = [];
  readonly #keys: string[] = [];
  /** The slots of columns that the table may lack. @internal */
  readonly optional = new Set<number>();
  /** Where the map first reads each column. @internal */
  readonly paths: (readonly (string | number)[])[] = [];
  /** Slots that the map reads without settings: they are texts in every format but NDJSON. @internal */
  readonly texts = new Set<number>();
  /** Columns of an exported table. @internal */
  exported?: ExportedTable;

  /** @internal */
  constructor(table = "the table", areAll = false) {
    this.table = table;
    this.areAll = areAll;
  }

  /** Adds the columns of a header or an object, if all are read. @internal */
  addAll(names: readonly string[]): void {
    if (this.areAll) for (const name of names) this.slotOf(name, []);
  }

  /**
   * @internal
   * @param from the column's name, or those that it may have
   * @param within the keys of a value within its cells, which has a slot of its own
   */
  slotOf(
    from: string | readonly string[],
    path: readonly (string | number)[],
    within?: readonly (string | number)[],
  ): number {
    const choice = [from].flat();
    const key = [...choice, ...(within === undefined ? [] : [JSON.stringify(within)])].join("\0");
    const known = this.#keys.indexOf(key);
    if (known !== -1) return known;
    this.#keys.push(key);
    this.paths.push(path);
    this.choices.push(choice);
    return this.names.push(choice[0]!) - 1;
  }

  /** Chooses the names that the table has. @internal */
  chooseFrom(header: readonly string[]): void {
    for (const [slot, choice] of this.choices.entries())
      this.names[slot] = choice.find((name) => header.includes(name)) ?? choice[0]!;
  }
}

/** The text of a cell, for comparisons and keys. */
export function cellText(cell: unknown): string {
  if (typeof cell === "string") return cell;
  if (cell === undefined || cell === null) return "";
  if (cell instanceof ListEntry) return cellText(cell.cell);
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}
