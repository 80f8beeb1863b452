import type { graphql } from "../../api/graphql.ts";

export type SearchKind = ReturnType<typeof graphql.scalar<"SearchKind">>;

/** The kinds that a search can be narrowed to. */
export const searchKinds = Object.keys({
  ...{ item: true, variant: true, customer: true, order: true },
} satisfies Record<SearchKind, true>) as SearchKind[];

/** The versions of an item: as it is edited, and as it was last published. */
export const versions = ["draft", "published"] as const;
