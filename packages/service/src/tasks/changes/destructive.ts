import type { DestructiveChanges } from "../../storage/bulk-tasks/plans/destructive.ts";
import type { LogEntry } from "../../storage/task-details/operation-logs.ts";
import { isOutput, type LoggedOutput } from "../facts.ts";

/** Maximum number of components listed; `orphanedMore` says if there are more. */
const mostComponents = 100;

/** Kinds of parts that an operation removes because its lists omit them. */
const removedParts = [
  "variants",
  "selections",
  "stockLocations",
  "priceVariants",
  "subscriptionPlans",
] as const;

/** Totals the removals of a plan's operations. */
export class DestructiveTally {
  readonly #deleted = new Map<string, number>();
  readonly #removed = new Map<string, number>();
  readonly #orphaned = new Map<string, number>();
  #orphanedMore = false;

  /** Adds the entries of a batch. Returns true if they remove anything. */
  add(entries: readonly Pick<LogEntry, "intent" | "action" | "output">[]): boolean {
    let found = false;
    for (const { intent, action, output } of entries) {
      if (action === "deleted") {
        count(this.#deleted, intent, 1);
        found = true;
      }
      if (isOutput(output) && (output.removed !== undefined || output.orphaned !== undefined)) {
        this.#addOutput(output);
        found = true;
      }
    }
    return found;
  }

  #addOutput({ removed, orphaned }: LoggedOutput): void {
    for (const part of removedParts) count(this.#removed, part, removed?.[part]?.length ?? 0);
    count(this.#removed, "more", removed?.more ?? 0);
    this.#orphanedMore ||= orphaned?.more ?? false;
    for (const { place, items } of orphaned?.components ?? [])
      if (this.#orphaned.size < mostComponents || this.#orphaned.has(place))
        count(this.#orphaned, place, items);
      else this.#orphanedMore = true;
  }

  get sums(): DestructiveChanges {
    return {
      deleted: Object.fromEntries(this.#deleted),
      removed: Object.fromEntries(this.#removed),
      orphaned: Object.fromEntries(this.#orphaned),
      orphanedMore: this.#orphanedMore,
    };
  }
}

function count(counts: Map<string, number>, name: string, more: number): void {
  if (more > 0) counts.set(name, (counts.get(name) ?? 0) + more);
}
