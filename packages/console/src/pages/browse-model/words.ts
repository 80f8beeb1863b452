import { keysOf } from "@lading/schema/internal/tables";
import type { Browsed } from "../kind/kind.ts";

/** A kind that a search finds, and that has a page. */
export type SearchKind = Exclude<Browsed, "image"> | "item";

/** The kinds whose hits show the name and the key alone. */
export const plainKinds = keysOf({
  ...{ topic: true, priceList: true, shape: true, piece: true, flow: true },
} satisfies Record<Exclude<SearchKind, "item" | "variant" | "customer" | "order">, true>);

/** The kinds that a search can be narrowed to. */
export const searchKinds: SearchKind[] = ["item", "variant", "customer", "order", ...plainKinds];

export type PlainKind = (typeof plainKinds)[number];

export const isPlainKind = (kind: string): kind is PlainKind => plainKinds.some((plain) => plain === kind);

/** An item's versions: the draft, and the last published one. */
export const versions = ["draft", "published"] as const;

/** The parts of an item's page: its versions, and where they differ. */
export const itemTabs = [...versions, "changes"] as const;
