import type { Action } from "@lading/schema/internal/bulk-task";
import type { TaskDetails } from "../task/documents.ts";

/** Something a plan would remove. */
interface Loss {
  /** Undefined if the number is unknown. */
  count?: number;
  /** Such as `product/delete operations`. */
  words: string;
  /** Selects the operations that include those that would remove it. */
  filter: { action: Action; intent?: string };
}

/** The removals of a plan: first what it deletes, then list entries, and content. */
export function lossesOf(destructive: NonNullable<TaskDetails["destructive"]>): Loss[] {
  const { deleted, removed, orphaned, orphanedMore } = destructive;
  const filter = { action: "updated" } as const;
  return [
    ...countsIn(deleted).map(([intent, count]): Loss => {
      const words = `${intent} ${count === 1 ? "operation" : "operations"}`;
      return { count, words, filter: { action: "deleted", intent } };
    }),
    ...countsIn(removed).map(([part, count]): Loss => {
      const [one, more] = partNames[part] ?? [part, part];
      return { count, words: count === 1 ? one : more, filter };
    }),
    ...countsIn(orphaned).map(([component, count]): Loss => {
      const words = `${count === 1 ? "item loses" : "items lose"} content in ${component}`;
      return { count, words, filter };
    }),
    ...(orphanedMore ? [{ words: "More items lose content", filter }] : []),
  ];
}

const partNames: Readonly<Record<string, [string, string]>> = {
  variants: ["variant", "variants"],
  selections: ["variant of a price list", "variants of price lists"],
  stockLocations: ["stock entry", "stock entries"],
  priceVariants: ["price", "prices"],
  subscriptionPlans: ["subscription plan", "subscription plans"],
  more: ["more part", "more parts"],
};

/** The counts of a sum, which is JSON, by name. */
function countsIn(sum: unknown): [string, number][] {
  if (typeof sum !== "object" || sum === null) return [];
  return Object.entries(sum).flatMap(([name, count]): [string, number][] =>
    typeof count === "number" ? [[name, count]] : [],
  );
}
