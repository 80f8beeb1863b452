import type { EntityKind, KindIn } from "@lading/schema/internal";
import type { NavigateOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { RowPage } from "../../ui/table/paged-rows.ts";
import type { Column } from "../../ui/table/table.tsx";

/** The kinds shown by the generic page; items and settings have pages of their own. */
export type Browsed =
  | Exclude<EntityKind, KindIn<"settings" | "items"> | "customerGroup" | "contract">
  | "image"
  | "variant";

type Dashed<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Dashed<Rest>}`
  : "";

/** The word of a kind in URLs: `price-lists`. */
export type KindWord = `${Dashed<Browsed>}s`;

/** `priceList` → `price list` */
export const nounOfKind = (kind: string): string =>
  kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** `priceList` → `price-lists` */
export const wordOfKind = (kind: Browsed): KindWord =>
  `${nounOfKind(kind).replaceAll(" ", "-")}s` as KindWord;

/** `price-lists` → `Price lists` */
export const titleOfKind = (word: KindWord): string =>
  word.charAt(0).toUpperCase() + word.slice(1).replaceAll("-", " ");

export interface KindScope {
  tenant: string;
  language: string;
}

/** A kind whose rows are listed in a table. */
export interface Kind<Row> {
  columns(language: string): Column<Row>[];
  /** A row's name in the URL. */
  keyOf(row: Row): string;
  fetchPage(
    scope: KindScope & { counts: boolean },
    after: string,
    signal: AbortSignal,
  ): Promise<RowPage<Row>>;
  /** The intent of an operation that creates one. */
  intent: string;
  /** Shows one row: next to the table, or on a page of its own. */
  one: Details | { page(tenant: string, key: string): NavigateOptions };
}

interface Details {
  /** Reads the row with a key. Throws `Refused` if there is none. */
  read(scope: KindScope, key: string, signal: AbortSignal): Promise<Shown>;
}

/** A row next to its table. */
interface Shown {
  title: ReactNode;
  /** As the API answers it. */
  value: object;
  parts: ReactNode;
}
