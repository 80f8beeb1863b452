import { executeCommand } from "../../../packages/service/src/commands/execute.ts";
import { Rejection } from "../../../packages/service/src/errors.ts";
import type { Database } from "../../../packages/service/src/storage/database.ts";
import type { Tenant } from "../../../packages/service/src/storage/tenants/tenant.ts";
import { operator } from "../../../packages/service/src/tenants/audit.ts";
import type { ObjectStore } from "../../../packages/service/src/uploads/object-store.ts";

export interface WriterReport {
  mutations: number;
  /** Rejections by name; with two writers there are none to be expected. */
  rejected: Record<string, number>;
  added: number;
}

/** Operations that create products, each with one variant without stock. */
export const productOperations = (products: number) => [
  { intent: "shape/upsert", identifier: "product", type: "product", name: "P" },
  ...Array.from({ length: products }, (_, n) => ({
    intent: "product/upsert",
    resourceIdentifier: `p-${n}`,
    name: `P ${n}`,
    language: "en",
    shapeIdentifier: "product",
    tree: { parentId: "{{ defaults.rootItemId }}" },
    variants: [
      {
        sku: `s-${n}`,
        name: "V",
        isDefault: true,
        stockLocations: [{ identifier: "default", stock: 0 }],
      },
    ],
  })),
];

/** Operations that add one to each product's stock per round, and write a shared customer. */
export const stockOperations = (products: number, rounds: number) =>
  Array.from({ length: products * rounds }, (_, n) =>
    n % 10 === 9
      ? { intent: "customer/upsert", identifier: `c-${n % 7}`, firstName: `Task ${n}` }
      : { ...increase(n % products), intent: "product/variant/stock/modify" },
  );

const increase = (product: number) => ({
  sku: `s-${product}`,
  stockLocationIdentifier: "default",
  operation: "increase" as const,
  quantity: 1,
});

/** Sends mutations of the same products and customers in sequence until stopped. */
export async function writeUntil(
  services: { database: Database; store: ObjectStore },
  tenant: Tenant,
  products: number,
  over: () => boolean,
): Promise<WriterReport> {
  const caller = { tenant, actor: operator };
  const report: WriterReport = { mutations: 0, rejected: {}, added: 0 };
  for (let n = 0; !over(); n++) {
    const result =
      n % 10 === 9
        ? await executeCommand(services, caller, "customer/upsert", {
            identifier: `c-${n % 7}`,
            firstName: `Mutation ${n}`,
          })
        : await executeCommand(
            services,
            caller,
            "product/variant/stock/modify",
            increase((n * 7) % products),
          );
    // A client's next request comes from outside; without that, the embedded database would let nobody else in.
    await new Promise(setImmediate);
    report.mutations++;
    if (result instanceof Rejection) report.rejected[result.name] = (report.rejected[result.name] ?? 0) + 1;
    else if (n % 10 !== 9) report.added++;
  }
  return report;
}

export async function stockSum(database: Database, tenant: Pick<Tenant, "id">): Promise<number> {
  const rows = await database.query<{ stock: { stock: number }[] }>(
    "SELECT stock_locations AS stock FROM product_variants WHERE tenant_id = $1",
    [tenant.id],
  );
  return rows.flatMap(({ stock }) => stock).reduce((sum, { stock }) => sum + stock, 0);
}
