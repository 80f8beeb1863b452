import { actions } from "@lading/schema/internal";
import { count, counted, line, paint, plain, type Sink } from "../context.ts";
import type { Task } from "../task/task.ts";
import type { ChangedOperation } from "./changed-operations.ts";

/** Maximum length of a shown value; a longer one is cut. */
const longestValue = 100;

/** The part of a key of an image that is not fetched before the file is run. */
const unknownKey = "/unknown-until-applied/";

/** `Plan of 65 operations: 12 would be created, 3 updated, 50 unchanged, 2 would fail` */
export function planSummary({ progress }: Task, unknown: number): string {
  const { processed, skipped, failed, partial } = progress;
  const done = actions.filter((action) => progress[action]);
  const parts = [
    ...done.map((action, i) => `${count(progress[action])} ${i === 0 ? "would be " : ""}${action}`),
    ...(partial > 0 ? [`${count(partial)} would be done in part`] : []),
    ...(failed > 0 ? [`${count(failed)} would fail`] : []),
    ...(unknown > 0 ? [`${count(unknown)} with values that are unknown until applied`] : []),
  ];
  return `Plan of ${counted(processed - skipped, "operation")}: ${parts.join(", ") || "nothing would change"}`;
}

/** Numbers by what they count, which are JSON in the schema. */
type Destructive = Readonly<Record<"deleted" | "removed" | "orphaned", Record<string, number>>>;

/** Prints what a plan would remove, a line per kind. */
export function printDestructive(sink: Sink, task: Task): void {
  const removals = removalsOf(task);
  if (removals.length === 0) return;
  line(sink, paint(sink, "red", "This would remove:"));
  for (const removal of removals) line(sink, `  ${removal}`);
}

/** Kinds of what a plan would remove, with their numbers; without those of components if these may not be named. */
export function removalsOf({ destructive }: Task, namesComponents = true): string[] {
  if (!destructive) return [];
  const { deleted, removed, orphaned } = destructive as Destructive;
  return [
    ...Object.entries(deleted).map(([intent, number]) => `${counted(number, "operation")} of ${intent}`),
    ...Object.entries(removed).map(
      ([part, number]) => `${count(number)} ${partNames[part] ?? part} left out of lists`,
    ),
    ...Object.entries(orphaned)
      .filter(() => namesComponents)
      .map(
        ([component, number]) =>
          `content of ${plain(component)} in ${counted(number, "item")}, which its shape loses`,
      ),
    ...(namesComponents || Object.keys(orphaned).length === 0
      ? []
      : ["content of items in components that their shapes lose"]),
    ...(destructive.orphanedMore ? ["content of more items"] : []),
  ];
}

const partNames: Readonly<Record<string, string>> = {
  variants: "variants",
  selections: "selected variants of price lists",
  stockLocations: "stocks",
  priceVariants: "prices",
  subscriptionPlans: "subscription plans",
  more: "more parts",
};

const signs = {
  created: ["+", "green"],
  updated: ["~", "yellow"],
  deleted: ["-", "red"],
} as const;

/** The sign of a changed entity, and its style. */
export const signOf = (change: string) => signs[change as keyof typeof signs];

/** Prints what an operation would change, a line per value. */
export function printChanges(sink: Sink, operation: ChangedOperation): void {
  const { index, intent, ref, action, changes, unknownUntilApplied } = operation;
  const name = ref === null ? "" : `, _ref ${plain(ref)}`;
  line(sink, `operation ${index}, ${plain(intent)}${name}: ${action ?? "nothing"}`);
  for (const { entity, key, action: change, values } of changes?.entities ?? []) {
    const [sign, style] = signOf(change);
    const keys = Object.entries(key as object).map(([property, value]) => `${property} ${shownValue(value)}`);
    line(sink, `  ${paint(sink, style, sign)} ${plain(entity)} ${keys.join(", ")}`);
    for (const value of values) line(sink, `      ${valueText(value, change)}`);
  }
  if (changes !== null && changes.more > 0) line(sink, `    ${counted(changes.more, "more value")}`);
  if (changes?.isComplete === false) line(sink, "    and more values than can be read");
  for (const pointer of unknownUntilApplied) line(sink, `    ${plain(pointer)} is unknown until applied`);
}

type ValueChange = NonNullable<ChangedOperation["changes"]>["entities"][number]["values"][number];

function valueText({ pointer, before, after }: ValueChange, change: string): string {
  if (change === "created") return `${plain(pointer)}: ${shownValue(after)}`;
  if (change === "deleted") return `${plain(pointer)}: ${shownValue(before)}`;
  return `${plain(pointer)}: ${shownValue(before)} → ${shownValue(after)}`;
}

/** A value on one line, cut if it is long. */
export function shownValue(value: unknown): string {
  if (typeof value === "string" && value.includes(unknownKey)) return "unknown until applied";
  if (value === "new") return "new";
  const text = plain(JSON.stringify(value) ?? "null");
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}
