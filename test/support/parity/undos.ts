import { expect } from "vitest";
import type { Database } from "../../../packages/service/src/storage/database.ts";
import type { Tenant } from "../../../packages/service/src/storage/tenants/tenant.ts";
import type { BulkTask } from "../../../packages/service/src/tasks/bulk-task.ts";
import type { OperationLog } from "../../../packages/service/src/tasks/logs.ts";
import { type NewUndo, undoTask } from "../../../packages/service/src/tasks/undo.ts";
import { openRunnerBench, type RunnerBench } from "../runner.ts";
import { tenantRows } from "./tenant-rows.ts";

type Rows = Record<string, string[]>;

export interface UndoBench extends RunnerBench {
  /** Runs a file to its end; nothing is wrong with the file. */
  run(tenant: Tenant, file: string | readonly object[]): Promise<BulkTask>;
  createUndo(tenant: Tenant, input: NewUndo): Promise<BulkTask>;
  /** Undoes a task, or plans that, to the end. */
  undo(tenant: Tenant, id: string, options?: Partial<NewUndo>): Promise<BulkTask>;
  /** Plans an undo, which changes nothing, and undoes: both come to the same. Answers the log of the undo. */
  planAndUndo(tenant: Tenant, id: string): Promise<OperationLog[]>;
  rows(tenant: Tenant): Promise<Rows>;
}

export async function openUndoBench(open: () => Promise<Database>): Promise<UndoBench> {
  const bench = await openRunnerBench(open);
  await bench.runner();
  const rows = ({ id }: Tenant) => tenantRows(bench.database, id);
  const createUndo = (tenant: Tenant, input: NewUndo) => undoTask(bench.database, tenant, input);
  const undo: UndoBench["undo"] = async (tenant, id, options) => {
    const task = await createUndo(tenant, { ...options, id, autoStart: true });
    return bench.ended(task.id, tenant);
  };
  const logOf = async (tenant: Tenant, task: BulkTask) => {
    expect(task).toMatchObject({ status: "complete", info: null });
    return bench.log(task.id, tenant);
  };
  return {
    ...bench,
    createUndo,
    undo,
    rows,
    async run(tenant, file) {
      const task = await bench.ended(await bench.start(file, { tenant }), tenant);
      expect(task.info).toBeNull();
      return task;
    },
    async planAndUndo(tenant, id) {
      const before = await rows(tenant);
      const planned = await logOf(tenant, await undo(tenant, id, { plan: true }));
      expect(await rows(tenant)).toEqual(before);
      const undone = await logOf(tenant, await undo(tenant, id));
      expect(planned.map(outcomeOf)).toEqual(undone.map(outcomeOf));
      return undone;
    },
  };
}

const outcomeOf = ({ index, undoes, status, action, message, errors }: OperationLog) => ({
  ...{ index, undoes, status, action, message },
  code: errors?.[0]?.code,
});
