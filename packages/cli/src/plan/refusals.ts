import { type Command, InvalidArgumentError, Option } from "commander";
import { counted, paint, type Sink } from "../context.ts";
import type { Seen } from "../task/watch.ts";

/** The names of what can be refused, with the noun for one of it. */
const refusals = {
  deletions: "deletion",
  losses: "loss of parts or content",
  failures: "failure",
  unknown: "operation with unknown values",
} as const;

export type Refusal = keyof typeof refusals;

const names = Object.keys(refusals) as Refusal[];

/** Adds the option of commands that refuse what a plan would do. */
export const withRefuse = (command: Command): Command =>
  command.addOption(
    new Option(
      "--refuse <what>",
      `plan first, and run nothing (exit code 7) if the plan has any of: ${names.join(",")}`,
    ).argParser(refusalsOf),
  );

function refusalsOf(text: string): Refusal[] {
  const given = text.split(",").map((name) => name.trim());
  const unknown = given.find((name) => !names.includes(name as Refusal));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `"${unknown}" cannot be refused; any of ${names.join(", ")} can, with commas.`,
    );
  return given as Refusal[];
}

/** Lists what a plan has of what is refused: `2 deletions`. */
export function refusedIn(
  { task, unknown }: Pick<Seen, "task" | "unknown">,
  refused: readonly Refusal[],
): string[] {
  if (task === undefined) return [];
  const { progress, destructive, status } = task;
  const sum = (counts: unknown = {}) =>
    Object.values(counts as Record<string, number>).reduce((a, b) => a + b, 0);
  const found: Record<Refusal, number> = {
    deletions: sum(destructive?.deleted),
    losses: sum(destructive?.removed) + sum(destructive?.orphaned) + (destructive?.orphanedMore ? 1 : 0),
    failures: progress.failed + progress.partial + (status === "error" ? 1 : 0),
    unknown,
  };
  return refused.filter((name) => found[name] > 0).map((name) => counted(found[name], refusals[name]));
}

/** `Refused: the plan has 2 deletions.` */
export const refusalText = (sink: Sink, refused: readonly string[]): string =>
  paint(sink, "red", `Refused: the plan has ${refused.join(", ")}.`);
