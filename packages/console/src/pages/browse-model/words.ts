import { keysOf } from "@lading/schema/tables";
import type { graphql } from "../../api/graphql.ts";

export type SearchKind = ReturnType<typeof graphql.scalar<"SearchKind">>;

/** The kinds that a search can be narrowed to. */
export const searchKinds: SearchKind[] = keysOf({
  ...{ item: true, variant: true, customer: true, order: true },
} satisfies Record<SearchKind, true>);

/** An item's versions: the draft, and the last published one. */
export const versions = ["draft", "published"] as const;

/** The parts of an item's page: its versions, and where they differ. */
export const itemTabs = [...versions, "changes"] as const;
