/** A tenant's kinds other than items: each one's word in URLs, and its title. */
export const kindTitles = {
  shapes: "Shapes",
  pieces: "Pieces",
  customers: "Customers",
  orders: "Orders",
  "price-lists": "Price lists",
  topics: "Topics",
  flows: "Flows",
  images: "Images",
} as const;

export type KindWord = keyof typeof kindTitles;

export const isKindWord = (word: string): word is KindWord => Object.hasOwn(kindTitles, word);
