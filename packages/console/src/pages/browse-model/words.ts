/** The kinds a search can be narrowed to. */
export const searchKinds = ["item", "variant", "customer", "order"] as const;

/** An item's versions: the draft, and the last published one. */
export const versions = ["draft", "published"] as const;
