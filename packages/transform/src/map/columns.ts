import type { CellSettings, ConversionMap, JsonPath, Problem } from "@lading/schema/internal";
import { quoted, suggestion } from "@lading/schema/internal";
import { type CellReader, omitted } from "../cells/cell.ts";
import { objectionToFormat } from "../cells/date.ts";
import { cellReaders, type Lookup } from "../cells/read-cell.ts";
import { CellError } from "../issues.ts";
import { LookupTable } from "../lookup-table.ts";
import { cellText, ListEntry, type Row, UsedColumns } from "../row.ts";

/** A column, as the map reads it. Errors of its cells name it. */
export class Column {
  readonly slot: number;
  readonly #used: UsedColumns;
  readonly #settings: CellSettings | undefined;
  readonly #readers: readonly [CellReader, ...CellReader[]];

  constructor(
    used: UsedColumns,
    slot: number,
    settings: CellSettings | undefined,
    readers: readonly [CellReader, ...CellReader[]],
  ) {
    this.#used = used;
    this.slot = slot;
    this.#settings = settings;
    this.#readers = readers;
  }

  /** The name that the table has, and the keys of the value within its cells. */
  get name(): string {
    return [this.#used.names[this.slot]!, ...(this.#settings?.path ?? [])].join("/");
  }

  get isList(): boolean {
    return this.#settings?.type === "list";
  }

  get isText(): boolean {
    return this.#settings === undefined || this.#settings.type === "text";
  }

  get isJson(): boolean {
    return this.#settings?.type === "json";
  }

  /** The settings of cells, or of the entries within `depth` lists; undefined for values of any type. */
  settingsAt(depth: number): CellSettings | undefined {
    let settings = this.#settings;
    for (let level = 0; level < depth && settings?.type === "list"; level++)
      settings = settings.entries ?? { type: "text" };
    return settings;
  }

  read({ cells }: Row): unknown {
    const cell = cells[this.slot];
    return cell === omitted ? omitted : this.#using(cell, (reader, cell) => reader.read(cell));
  }

  /** The text that conditions and groups compare. */
  written({ cells }: Row): string {
    const cell = cells[this.slot];
    if (cell === omitted) return "";
    return this.#using(cell, (reader, cell) => reader.written?.(cell) ?? cellText(cell));
  }

  /** The row with each entry of the column's list in place of its cell. */
  entriesOf(row: Row): Row[] {
    const cell = row.cells[this.slot];
    if (cell === omitted) return [];
    const level = cell instanceof ListEntry ? cell.level : 0;
    const entries = this.#using(cell, (reader, cell) => reader.split?.(cell) ?? []);
    return entries.map((entry) => this.withCell(row, new ListEntry(entry, level + 1)));
  }

  withCell(row: Row, cell: unknown): Row {
    return { line: row.line, cells: row.cells.with(this.slot, cell) };
  }

  #using<Value>(cell: unknown, use: (reader: CellReader, cell: unknown) => Value): Value {
    try {
      if (!(cell instanceof ListEntry)) return use(this.#readers[0], cell);
      return use(this.#readers[Math.min(cell.level, this.#readers.length - 1)]!, cell.cell);
    } catch (error) {
      if (error instanceof CellError) error.column ??= this.name;
      throw error;
    }
  }
}

/** The columns of a map, by their names in it, and the tables that they look up cells in. */
export class Columns {
  readonly used = new UsedColumns();
  readonly tables = new Map<string, LookupTable>();
  /** The slots that operations read. */
  readonly ofOperations = new Set<number>();
  readonly #columns = new Map<string, Column>();
  readonly #map: ConversionMap;
  readonly #problems: Problem[];

  constructor(map: ConversionMap, problems: Problem[]) {
    this.#map = map;
    this.#problems = problems;
    for (const [name, { key }] of Object.entries(map.tables))
      this.tables.set(name, new LookupTable(name, key));
  }

  /** @param path where the map reads it */
  get(name: string, path: JsonPath): Column {
    const column = this.#columns.get(name) ?? this.#add(name, path);
    if (path[0] === "operations") this.ofOperations.add(column.slot);
    return column;
  }

  /** The columns of the map that read one of the table. */
  readingOf(slot: number): Column[] {
    return [...this.#columns.values()].filter((column) => column.slot === slot);
  }

  #add(name: string, path: JsonPath): Column {
    const settings = this.#map.columns[name];
    const own = ["columns", name];
    const { from = name, path: within } = settings ?? {};
    const slot = this.used.slotOf(from, from === name ? path : [...own, "from"], within);
    if (settings === undefined) this.used.texts.add(slot);
    if (settings?.optional === true) this.used.optional.add(slot);
    const isRight = settings === undefined || this.#hasRightFormats(settings, own);
    const readers = cellReaders(isRight ? settings : undefined, ({ lookup }, depth) => {
      const at = [...own, ...Array<string>(depth).fill("entries"), "lookup"];
      return lookup && this.#lookup(lookup, at);
    });
    const column = new Column(this.used, slot, settings, readers);
    this.#columns.set(name, column);
    return column;
  }

  #hasRightFormats(settings: CellSettings, path: JsonPath): boolean {
    if (settings.type === "list")
      return settings.entries === undefined || this.#hasRightFormats(settings.entries, [...path, "entries"]);
    if (settings.type !== "date" || settings.format === undefined) return true;
    const message = objectionToFormat(settings.format);
    if (message !== undefined)
      this.#problems.push({ code: "InvalidValue", message, path: [...path, "format"] });
    return message === undefined;
  }

  #lookup({ table: name, column }: { table: string; column: string }, path: JsonPath): Lookup | undefined {
    const table = this.tables.get(name);
    if (table === undefined) {
      const names = [...this.tables.keys()];
      const advice = names.length === 0 ? 'name it in "tables"' : suggestion(name, names);
      const message = `the map has no table ${quoted(name)}; ${advice}`;
      this.#problems.push({ code: "UnknownTable", message, path: [...path, "table"] });
      return undefined;
    }
    const slot = table.columns.slotOf(column, [...path, "column"]);
    return {
      find(key) {
        const row = table.row(key);
        return row && { cell: row.cells[slot] };
      },
      among: `in the column ${quoted(table.keyName)} of the table ${quoted(name)}`,
    };
  }

  /** The names of columns that are lists. */
  get lists(): string[] {
    return Object.entries(this.#map.columns).flatMap(([name, { type }]) => (type === "list" ? [name] : []));
  }
}
