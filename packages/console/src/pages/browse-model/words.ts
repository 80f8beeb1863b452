/** The kinds that a search can be narrowed to. */
export const searchKinds = ["item", "variant", "customer", "order"] as const;

/** The versions of an item: as it is edited, and as it was last published. */
export const versions = ["draft", "published"] as const;
