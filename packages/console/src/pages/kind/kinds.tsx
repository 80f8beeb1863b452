import type { ReactNode } from "react";
import { customers, orders, priceLists, variants } from "./commerce-kinds.tsx";
import { flows, images, pieces, shapes, topics } from "./content-kinds.tsx";
import type { Kind, KindScope, KindWord } from "./kind.ts";
import { KindTable } from "./kind-table.tsx";

/** Builds the table of a kind; state is reset when the kind changes. */
const tableOf =
  <Row,>(kind: Kind<Row>) =>
  (props: { scope: KindScope; word: KindWord }): ReactNode => (
    <KindTable key={props.word} kind={kind} {...props} />
  );

/** The table of each kind, in the order of the links to them. */
export const kindTables: Record<KindWord, (props: { scope: KindScope; word: KindWord }) => ReactNode> = {
  variants: tableOf(variants),
  customers: tableOf(customers),
  orders: tableOf(orders),
  "price-lists": tableOf(priceLists),
  topics: tableOf(topics),
  images: tableOf(images),
  shapes: tableOf(shapes),
  pieces: tableOf(pieces),
  flows: tableOf(flows),
};

/** True for a kind that has names by language. */
export const inLanguage = (word: string) => word === "variants" || word === "topics";

export const isKindWord = (word: string): word is KindWord => Object.hasOwn(kindTables, word);
