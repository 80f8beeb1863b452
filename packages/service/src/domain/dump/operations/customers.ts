import { type CustomerGroupRow, customerGroups } from "../../../storage/collections/customer-groups.ts";
import { type CustomerRow, customers } from "../../../storage/collections/customers.ts";
import type { Collection } from "../../../storage/unit-of-work/collection.ts";
import type { DumpedTenant, ReadKind } from "../dumped-tenant.ts";
import { operation } from "../operation.ts";
import { pagesOf } from "../pages.ts";

/** Reads customer groups and customers, then the parents of both, which may come later in the file. */
export const readCustomers: ReadKind = async function* (dumped) {
  for await (const rows of pagesOf(dumped, customerGroups))
    yield rows.map(({ identifier, name, parents }) =>
      operation("customer/group/upsert", { identifier, name, ...withoutParents(parents) }),
    );
  for await (const rows of pagesOf(dumped, customers))
    yield rows.map(({ parents, createdAt, updatedAt, ...fields }) =>
      operation("customer/upsert", { ...fields, ...withoutParents(parents) }),
    );
  yield* parentsIn(dumped, "customer/group/update", customerGroups);
  yield* parentsIn(dumped, "customer/update", customers);
};

/** Clears the parents; they are written once all of them exist. */
const withoutParents = (parents: readonly unknown[]) => parents.length === 0 && { parents };

async function* parentsIn<Row extends CustomerRow | CustomerGroupRow>(
  dumped: DumpedTenant,
  intent: "customer/group/update" | "customer/update",
  collection: Collection<Row>,
) {
  for await (const rows of pagesOf(dumped, collection))
    yield rows
      .filter(({ parents }) => parents.length > 0)
      .map(({ identifier, parents }) => operation(intent, { identifier, parents }));
}
