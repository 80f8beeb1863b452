import type { ReactNode } from "react";
import type { RowPage } from "../../ui/table/paged-rows.ts";
import type { Column } from "../../ui/table/table.tsx";

/** The place that rows are read at. */
export interface KindScope {
  tenant: string;
  language: string;
}

/** A kind of things that is listed in a table, and shown one by one beside it. */
export interface Kind<Row> {
  columns: Column<Row>[];
  /** The name of a row in the address. */
  keyOf(row: Row): string;
  fetchPage(scope: KindScope, after: string, signal: AbortSignal): Promise<RowPage<Row>>;
  /** Reads the one with a key, with all that is worth showing. Throws `Refused` where there is none. */
  read(scope: KindScope, key: string, signal: AbortSignal): Promise<object>;
  /** Creates one of them, by an operation. */
  intent: string;
  /** Shows a part of one, above its fields. */
  details?(found: object): ReactNode;
}

/** A connection as the API answers it. */
interface Connection<Row> {
  edges: { node: Row }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export const pageOf = <Row>({ edges, pageInfo }: Connection<Row>): RowPage<Row> => ({
  rows: edges.map(({ node }) => node),
  ...pageInfo,
});
