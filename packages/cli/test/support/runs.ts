import { type Script, type ScriptedService, scriptedService } from "./scripted-service.ts";
import { happyScript, type ScriptedTask } from "./scripted-task.ts";

export const operations = [
  { intent: "customer/upsert", identifier: "ada", firstName: "Ada", type: "individual" },
];

export const token = ["--token-id", "id-1", "--token-secret", "secret-1"];

/** A service that takes a file through this task, but for the changed answers. */
export async function serviceWith(task: ScriptedTask, changes: Script = {}): Promise<ScriptedService> {
  const service: ScriptedService = await scriptedService({
    ...happyScript(() => service.url, task),
    ...changes,
  });
  return service;
}

export const complete = { status: "complete", progress: { total: 3, processed: 3, succeeded: 3 } } as const;
