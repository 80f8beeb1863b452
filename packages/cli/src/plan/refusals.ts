import { type Command, InvalidArgumentError, Option } from "commander";
import { count } from "../context.ts";
import type { Task } from "../task/task.ts";

const refusals = ["deletions", "losses", "failures", "unknown"] as const;

export type Refusal = (typeof refusals)[number];

const isRefusal = (name: string): name is Refusal => refusals.some((each) => each === name);

/** Adds the option of commands that refuse what a plan would do; `about` says what they do then. */
export const withRefuse = (command: Command, about = "plan first, and run nothing (exit code 7)"): Command =>
  command.addOption(
    new Option("--refuse <what>", `${about} if the plan has any of: ${refusals.join(",")}`).argParser(
      (text, before: readonly Refusal[] = []) => [...before, ...refusalsOf(text)],
    ),
  );

function refusalsOf(text: string): Refusal[] {
  return text.split(",").map((given) => {
    const name = given.trim();
    if (isRefusal(name)) return name;
    throw new InvalidArgumentError(
      `"${name}" cannot be refused; any of ${refusals.join(", ")} can, with commas.`,
    );
  });
}

/** The numbers of what a plan has of what is refused, without zeros. */
export type Refused = { readonly [Name in Refusal]?: number };

/** Counts what a plan has of what is refused; undefined if it has none of it. */
export function refusedIn(
  { task, unknown }: { task?: Task; unknown: number },
  refuse: readonly Refusal[],
): Refused | undefined {
  if (task === undefined) return undefined;
  const { progress, destructive, status } = task;
  const found: Record<Refusal, number> = {
    deletions: sumOf(destructive?.deleted),
    losses: sumOf(destructive?.removed) + sumOf(destructive?.orphaned) + (destructive?.orphanedMore ? 1 : 0),
    failures: progress.failed + progress.partial + (status === "error" ? 1 : 0),
    unknown,
  };
  const refused = refuse.filter((name) => found[name] > 0).map((name) => [name, found[name]]);
  return refused.length === 0 ? undefined : Object.fromEntries(refused);
}

/** The sum of numbers by what they count, which are JSON in the schema. */
const sumOf = (counts: unknown): number =>
  Object.values((counts ?? {}) as Record<string, number>).reduce((sum, number) => sum + number, 0);

/** `Refused: the plan has deletions (2), failures (1).` */
export function refusalText(refused: Refused): string {
  const counts = Object.entries(refused).map(([name, number]) => `${name} (${count(number)})`);
  return `Refused: the plan has ${counts.join(", ")}.`;
}
