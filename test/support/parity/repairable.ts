import type { Tenant } from "../../../packages/service/src/storage/tenants/tenant.ts";
import { retryTask } from "../../../packages/service/src/tasks/retries/retry.ts";
import type { UndoBench } from "./undos.ts";

export const group = (identifier: string, name: string) => ({
  intent: "customer/group/upsert",
  identifier,
  name,
});

export const customer = (identifier: string, parent: string) => ({
  ...{ intent: "customer/upsert", identifier, type: "individual" },
  parents: [{ type: "customerGroup", identifier: parent }],
});

/** Makes the steps by which tests of a bench fail, retry and repair operations. */
export function repairs(bench: () => UndoBench) {
  const createRetry = (tenant: Tenant, id: string, autoStart = true) =>
    retryTask(bench(), tenant, { id, autoStart });
  return {
    createRetry,
    retry: async (tenant: Tenant, id: string) => bench().ended((await createRetry(tenant, id)).id, tenant),
    /** A task of which one operation has failed, which passes by now. */
    repairable: async () => {
      const tenant = await bench().newTenant();
      const { id } = await bench().run(tenant, [group("a", "A"), customer("ann", "late"), group("b", "B")]);
      await bench().run(tenant, [group("late", "Late")]);
      return { tenant, id };
    },
  };
}
