import type { Context } from "../context.ts";
import { CliError } from "../exit.ts";
import type { TenantFlags } from "../options.ts";
import { findTask } from "../task/task.ts";
import { credentialsPath, keptTenants } from "./credentials.ts";
import { type Endpoint, requireService, Unreachable } from "./graphql.ts";
import { tenantEndpoint, tokenFromFlags } from "./tenant-endpoint.ts";

export interface TenantOfTask {
  tenant: string;
  endpoint: Endpoint;
}

/**
 * Finds the Core API of the tenant that has a task: the tenant that the options name, else the first tenant with a kept
 * token whose tasks include it.
 */
export async function taskEndpoint(
  context: Context,
  taskId: string,
  flags: TenantFlags,
): Promise<TenantOfTask> {
  const { tenant } = flags;
  if (tenant) return { tenant, endpoint: await tenantEndpoint(context, tenant, flags) };
  const tenants = tokenFromFlags(flags) ? [] : keptTenants(flags.url);
  if (tenants.length === 0) await requireService(flags.url, context.interrupted);
  for (const candidate of tenants) {
    const endpoint = await tenantEndpoint(context, candidate, flags);
    if (tenants.length === 1 || (await hasTask(endpoint, taskId))) return { tenant: candidate, endpoint };
  }
  throw new CliError(
    tenants.length === 0
      ? "name the task's tenant with --tenant or LADING_TENANT " +
          `(no token is saved for ${flags.url} in ${credentialsPath()})`
      : `none of the tenants ${tenants.join(", ")} has a task ${taskId}, as far as their saved tokens show; ` +
          "name its tenant with --tenant",
  );
}

/** Looks for a task. A refused token hides the tasks of its tenant; a service that does not answer is an error. */
async function hasTask(endpoint: Endpoint, taskId: string): Promise<boolean> {
  try {
    return Boolean(await findTask(endpoint, taskId));
  } catch (error) {
    if (!(error instanceof CliError) || error instanceof Unreachable) throw error;
    return false;
  }
}
