import { setImmediate } from "node:timers/promises";
import { keepNamedImages } from "../../media/stored-images.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { ping } from "../../storage/session.ts";
import type { Actor } from "../../storage/tenants/audit-trail.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { fetchHelpers } from "../../template-helpers/index.ts";
import type { RenderScope } from "../../templates/scope.ts";
import { BatchBudget } from "./batch-size.ts";
import type { TaskExecution } from "./task-execution.ts";

/** One attempt at executing a task's operations in an open transaction. */
export interface Batch {
  readonly execution: TaskExecution;
  readonly transaction: Queries;
  readonly unit: UnitOfWork;
  readonly tenant: Tenant;
  /** The task. */
  readonly actor: Actor;
  readonly scope: RenderScope;
  readonly budget: BatchBudget;
}

/** Begins a batch in a transaction; `tenant` is as read in that transaction. */
export function beginBatch(execution: TaskExecution, transaction: Queries, tenant: Tenant): Batch {
  const { services, sink, room } = execution;
  const { engine } = services.database;
  const unit = sink.unitOfWork(execution, transaction);
  keepNamedImages(unit, tenant);
  const scope = scopeOf(execution, tenant, unit, transaction);
  const actor = { type: "task", id: execution.task.taskId } as const;
  const budget = new BatchBudget(engine, room.failures, (status) => execution.countsAsFailure(status));
  return { execution, transaction, unit, tenant, actor, scope, budget };
}

function scopeOf(
  { services, task, earlier, results, images }: TaskExecution,
  tenant: Tenant,
  unit: UnitOfWork,
  transaction: Queries,
): RenderScope {
  return {
    lookup: (name) => results.lookup(name),
    names: () => results.names(),
    later: (name) => results.later(name),
    pause: pauseIn(services.database, transaction),
    helpers: { ...fetchHelpers({ unit, tenant }), upload: images.upload(unit) },
    defaults: {
      // Retried operations must find the texts that the run's operations created with its id.
      taskId: earlier.at(-1) ?? task.taskId,
      tenantId: tenant.id,
      tenantIdentifier: tenant.identifier,
      rootItemId: tenant.rootItemId,
      languages: tenant.settings.languages.map(({ code }) => code),
      vatTypeIds: tenant.settings.vatTypes.map(({ id }) => id),
    },
  };
}

/** Time that templates are evaluated before pinging the server to keep the transaction open, in milliseconds. */
const signOfLife = 1_000;

/** Yields to the event loop, and keeps the server from ending the idle transaction. */
function pauseIn({ engine }: Database, transaction: Queries): () => Promise<void> {
  let heard = performance.now();
  return async () => {
    await setImmediate();
    if (engine === "pglite" || performance.now() - heard < signOfLife) return;
    await ping(transaction);
    heard = performance.now();
  };
}
