import type { EntityKind, KindIn } from "@lading/schema";

/** The kinds shown by the generic page; items and settings have pages of their own. */
type Browsed = Exclude<EntityKind, KindIn<"settings" | "items"> | "customerGroup" | "contract"> | "image";

/** The word of each kind in addresses, and its title. */
const kinds = {
  shape: ["shapes", "Shapes"],
  piece: ["pieces", "Pieces"],
  customer: ["customers", "Customers"],
  order: ["orders", "Orders"],
  priceList: ["price-lists", "Price lists"],
  topic: ["topics", "Topics"],
  flow: ["flows", "Flows"],
  image: ["images", "Images"],
} as const satisfies Readonly<Record<Browsed, readonly [word: string, title: string]>>;

export type KindWord = (typeof kinds)[Browsed][0];

export const kindTitles = Object.fromEntries(Object.values(kinds)) as Readonly<Record<KindWord, string>>;

export const isKindWord = (word: string): word is KindWord => Object.hasOwn(kindTitles, word);
