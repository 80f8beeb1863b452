import type { EntityKind, KindIn } from "@lading/schema";
import type { ReactNode } from "react";
import type { RowPage } from "../../ui/table/paged-rows.ts";
import type { Column } from "../../ui/table/table.tsx";

/** The kinds shown by the generic page; items and settings have pages of their own. */
type Browsed = Exclude<EntityKind, KindIn<"settings" | "items"> | "customerGroup" | "contract"> | "image";

type Dashed<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Dashed<Rest>}`
  : "";

/** The word of a kind in URLs: `price-lists`. */
export type KindWord = `${Dashed<Browsed>}s`;

/** `price-lists` → `Price lists` */
export const titleOfKind = (word: KindWord): string =>
  word.charAt(0).toUpperCase() + word.slice(1).replaceAll("-", " ");

export interface KindScope {
  tenant: string;
  language: string;
}

/** A kind whose rows are listed in a table, and shown one by one next to it. */
export interface Kind<Row> {
  columns: Column<Row>[];
  /** A row's name in the URL. */
  keyOf(row: Row): string;
  fetchPage(scope: KindScope, after: string, signal: AbortSignal): Promise<RowPage<Row>>;
  /** Reads the row with a key and its details. Throws `Refused` if there is none. */
  read(scope: KindScope, key: string, signal: AbortSignal): Promise<object>;
  /** The intent of an operation that creates one. */
  intent: string;
  /** Renders a section above a row's fields. */
  details?(found: object): ReactNode;
}

/** A connection as the API returns it. */
interface Connection<Row> {
  edges: { node: Row }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export const pageOf = <Row>({ edges, pageInfo }: Connection<Row>): RowPage<Row> => ({
  rows: edges.map(({ node }) => node),
  ...pageInfo,
});
