import { literalTemplate } from "@lading/schema/internal";
import type { PagedTenant } from "../dump/dumped-tenant.ts";
import type { Cell, CellType } from "./cell.ts";
import type { Compared, Condition } from "./where.ts";

/** The tenant that is exported, and how. */
export interface ExportScope extends PagedTenant {
  /** The language of names, content and paths. */
  readonly language: string;
}

/** A template of an operation, or a part of one. */
export type Template = Readonly<Record<string, unknown>>;

/** The way of a cell back: as a field of the sheet's operation, or by an operation of its own. */
export type WriteBack = { readonly field: string } | { readonly operation: (cell: string) => Template };

export interface Column<Row> {
  readonly name: string;
  readonly about: string;
  readonly type: CellType;
  readonly value: (row: Row) => Cell;
  /** A part of the key, which finds the entity again. */
  readonly isKey?: true;
  readonly isDefault?: true;
  /** Without it the column is read-only. */
  readonly write?: WriteBack;
  /** True if an edited cell may be empty: it clears the value. */
  readonly clears?: true;
  /** A part of the rows that is only read if a column needs it. */
  readonly needs?: string;
}

/** A kind of rows: texts, conditions and maps are derived from it. */
export interface Sheet<Row> {
  readonly columns: readonly Column<Row>[];
  /** The operation that columns are fields of: its intent, and what finds the entity. */
  readonly operation?: Template;
  /** True where operations can depend on the entity's `updatedAt`. */
  readonly isTimed: boolean;
  readonly updatedAt: (row: Row) => string;
  /** The operation that publishes the entity. */
  readonly publish?: Template;
  readonly sources: readonly Source[];
  /** Values that conditions compare beyond scalar columns. */
  readonly compared?: readonly Compared<Row>[];
  readonly rows: (scope: ExportScope, reading: Reading) => AsyncGenerator<Row[]>;
}

/** Conditions that narrow the rows before they are read. */
export type Source = "below" | "topic";

/** The rows to read, and their parts. */
export interface Reading {
  readonly needs: ReadonlySet<string>;
  /** The folder or topic that the rows are of, by id. */
  readonly within: Readonly<Partial<Record<Source, string>>>;
  /** The other conditions: a reader may use them to read less, but needs not. */
  readonly conditions: readonly Condition[];
}

/** An entry of the list that a JSON column has; an empty list is an empty cell. */
export const listed = <Entry>(list: readonly Entry[] | null | undefined): readonly Entry[] | null =>
  list == null || list.length === 0 ? null : list;

/** A read-only text column. */
export const shown = <Row>(
  name: string,
  about: string,
  value: (row: Row) => Cell,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ name, about, type: "text", value, ...more });

/** A column that is a field of the same name of the kind's operation. */
export const field = <Row>(
  name: string,
  about: string,
  value: (row: Row) => Cell,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ name, about, type: "text", value, write: { field: name }, ...more });

/** The template of a cell. */
export const cellOf = (column: string): string =>
  `[[${column.replace(/[\\[\]]/g, "\\$&").replace(/^[#^/$]/, "\\$&")}]]`;

/** A text that a template writes as it is. */
export const literal = (text: string): string =>
  literalTemplate(text).replace(/(\\*)\[\[/g, (_, slashes: string) => `${slashes}${slashes}\\[[`);
