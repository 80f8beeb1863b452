import { type JsonPath, same, type Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type CustomerGroupRow, customerGroups } from "../../storage/collections/customer-groups.ts";
import { type CustomerRow, customers } from "../../storage/collections/customers.ts";
import { levelsBelow } from "../../storage/queries/customers.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

export const customerLimits = { addresses: 20, parents: 5, depth: 5 } as const;

type Parents = CustomerRow["parents"];
type Parent = Parents[number];
type WithParents = Pick<CustomerRow | CustomerGroupRow, "parents">;

/** Declares the ancestors of a customer or group. */
export function prefetchParents(parents: Written<Parents> | null | undefined, prefetch: Prefetch): void {
  for (const { type, identifier } of parents ?? [])
    if (type === "customer") prefetch(customers, "key", [identifier], followParents);
    else prefetch(customerGroups, "key", [identifier], followParents);
}

const followParents = ({ parents }: WithParents, prefetch: Prefetch) => prefetchParents(parents, prefetch);

/**
 * Checks the parents of a customer or group, `own`: at most 5 (`TooManyCustomerParentsProvidedError`), each exists, no
 * cycles, and neither `own` nor a descendant gets more than 5 levels below the top. `before` has the stored parents; it
 * is undefined when `own` is new, so that it has no descendants.
 */
export async function checkParents(
  unit: UnitOfWork,
  own: Parent,
  parents: Parents | null | undefined,
  before?: Parents,
): Promise<void> {
  if (!parents || same(parents, before)) return;
  if (parents.length > customerLimits.parents)
    reject(
      "TooManyCustomerParentsProvidedError",
      `parents lists ${parents.length}; the limit is ${customerLimits.parents}`,
      ["parents"],
    );
  // No key constraint stops another writer from adding ancestors or descendants, which could make a cycle or one level
  // too many.
  if (before !== undefined && parents.length > 0) unit.requireLock("exclusive");
  const below =
    before === undefined || parents.length === 0 ? 0 : await levelsBelow(unit, own, customerLimits.depth);
  for (const [i, parent] of parents.entries())
    await checkParent(unit, { own, below }, parent, ["parents", i, "identifier"]);
}

/** Checks all ancestors of one parent. */
async function checkParent(
  unit: UnitOfWork,
  { own, below }: { own: Parent; below: number },
  parent: Parent,
  path: JsonPath,
): Promise<void> {
  let level: readonly Parent[] = [parent];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth + below > customerLimits.depth)
      reject(
        "ValidationError",
        `${below > 0 ? `What is below "${own.identifier}"` : `"${own.identifier}"`} would be ${depth + below} ` +
          `levels below the top, through "${parent.identifier}"; the limit is ${customerLimits.depth}`,
        path,
      );
    const above: Parent[] = [];
    for (const { type, identifier } of level) {
      if (type === own.type && identifier === own.identifier)
        reject(
          "ValidationError",
          `"${own.identifier}" would be above itself, through "${parent.identifier}"`,
          path,
        );
      above.push(...(await requireParent(unit, type, identifier, path)).parents);
    }
    level = above;
  }
}

async function requireParent(
  unit: UnitOfWork,
  type: Parent["type"],
  identifier: string,
  path: JsonPath,
): Promise<WithParents> {
  const row =
    type === "customer" ? await unit.get(customers, identifier) : await unit.get(customerGroups, identifier);
  if (row !== undefined) return row;
  if (type === "customer")
    return reject("CustomerNotFoundError", `There is no customer "${identifier}"`, path);
  return reject("CustomerGroupNotFoundError", `There is no customer group "${identifier}"`, path);
}
