import { applyFile } from "./apply.ts";
import type { NamedAccess, PatientClient } from "./client.ts";

/**
 * A task: of the file, or of the task before; `follow` runs the file by the plan before, and `apply` by the command
 * line.
 */
type Step = "plan" | "run" | "follow" | "retry" | "undo" | "apply";

/** The tasks that a tenant has of its file, one after the other. */
const lives: readonly (readonly Step[])[] = [
  ["plan", "follow", "retry"],
  ["apply", "undo", "apply"],
  ["run", "undo", "undo"],
];

const lifeOf = (number: number): readonly Step[] => lives[number % lives.length]!;

export const tasksOf = (number: number): number => lifeOf(number).length;

interface Life {
  readonly client: PatientClient;
  readonly access: NamedAccess;
  readonly number: number;
  readonly file: object;
}

/** Starts the tasks of a file, one after the other; `follow` returns when one has ended. */
export async function live(
  { client, access, number, file }: Life,
  follow: (id: string, step: Step) => Promise<void>,
): Promise<void> {
  let last: string | undefined;
  for (const [at, step] of lifeOf(number).entries()) {
    if (step === "apply")
      last = await applyFile(client, access, { file, before: last }, (id) => follow(id, step));
    else {
      last = await start(client, access, { step, file, last, key: `task ${at}` });
      await follow(last, step);
    }
  }
}

interface Task {
  readonly step: Exclude<Step, "apply">;
  readonly file: object;
  readonly last: string | undefined;
  readonly key: string;
}

function start(client: PatientClient, access: NamedAccess, { step, file, last, key }: Task): Promise<string> {
  if (step === "run" || step === "plan") return client.start(access, file, { kind: step, key });
  if (step === "follow") return client.runByPlan(access, String(last), key);
  return client.follow(access, `${step}BulkTask`, String(last), key);
}
