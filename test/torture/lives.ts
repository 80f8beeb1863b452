import { applyFile } from "./apply.ts";
import type { NamedAccess, PatientClient, Step } from "./client.ts";

/**
 * The tasks that a tenant has of its file, one after the other. `follow` runs the file by the plan before; `dated` runs
 * it at a date; `whole` fails, since it is all or nothing, and `back` is its undo; `apply` runs it by the command line.
 */
const lives: readonly (readonly Step[])[] = [
  ["plan", "follow", "retry"],
  ["apply", "undo", "apply"],
  ["whole", "back"],
  ["run", "undo", "undo"],
  ["dated"],
];

const lifeOf = (number: number): readonly Step[] => lives[number % lives.length]!;

export const tasksOf = (number: number): number => lifeOf(number).length;

interface Life {
  readonly client: PatientClient;
  readonly access: NamedAccess;
  readonly number: number;
  readonly file: { readonly operations: readonly unknown[] };
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
  readonly file: Life["file"];
  readonly last: string | undefined;
  readonly key: string;
}

/** A tenth of the operations of a file fails, or more. */
const failuresOfWhole = (file: Life["file"]) => Math.floor(file.operations.length / 30);

async function start(
  client: PatientClient,
  access: NamedAccess,
  { step, file, last, key }: Task,
): Promise<string> {
  if (step === "dated") {
    const id = await client.start(access, file, { kind: "run", key, autoStart: false });
    await client.schedule(access, id);
    return id;
  }
  if (step === "whole")
    return client.start(access, file, {
      kind: "run",
      key,
      onFailure: "UNDO",
      maxFailures: failuresOfWhole(file),
    });
  if (step === "back") return client.undoOf(access, String(last));
  if (step === "run" || step === "plan") return client.start(access, file, { kind: step, key });
  if (step === "follow") return client.runByPlan(access, String(last), key);
  return client.follow(access, `${step}BulkTask`, String(last), key);
}
