/** The contents of a tenant besides items: the word of each in addresses, and its title. */
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
