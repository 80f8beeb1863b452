import { type CustomerGroupRow, customerGroups } from "../collections/customer-groups.ts";
import { type CustomerRow, customers } from "../collections/customers.ts";
import type { Queries } from "../database.ts";
import { conditionList, hasPairs, listRows } from "../pages/list.ts";
import type { Page, PageRequest } from "../pages/page.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { rowsByKey } from "./rows.ts";

export interface CustomerFilter {
  type?: string | null;
  email?: string | null;
  externalReference?: { key: string; value?: string | null } | null;
}

export const findCustomer = async (queries: Queries, tenantId: string, identifier: string) =>
  (await rowsByKey(queries, tenantId, customers, "identifier", [identifier])).get(identifier);

export const customersByIdentifier = (queries: Queries, tenantId: string, identifiers: readonly string[]) =>
  rowsByKey(queries, tenantId, customers, "identifier", identifiers);

export function listCustomers(
  queries: Queries,
  tenantId: string,
  filter: CustomerFilter,
  request: PageRequest,
): Promise<Page<CustomerRow>> {
  const { type, email, externalReference } = filter;
  const list = {
    select: `SELECT ${customers.sql.columnList} FROM customers t`,
    ...conditionList([
      ["t.type = ?", type],
      ["t.email = ?", email],
      [
        hasPairs("customers", "identifier", "external_references"),
        externalReference && JSON.stringify([externalReference]),
      ],
    ]),
    order: ["t.identifier"],
    keyOf: (row: CustomerRow) => [row.identifier],
  };
  return listRows(queries, tenantId, list, request);
}

export const findCustomerGroup = async (queries: Queries, tenantId: string, identifier: string) =>
  (await rowsByKey(queries, tenantId, customerGroups, "identifier", [identifier])).get(identifier);

export function listCustomerGroups(
  queries: Queries,
  tenantId: string,
  request: PageRequest,
): Promise<Page<CustomerGroupRow>> {
  const list = {
    select: `SELECT ${customerGroups.sql.columnList} FROM customer_groups t`,
    ...conditionList([]),
    order: ["t.identifier"],
    keyOf: (row: CustomerGroupRow) => [row.identifier],
  };
  return listRows(queries, tenantId, list, request);
}

/** The number of child customers per customer, by identifier. */
export async function childCountsOfCustomers(
  queries: Queries,
  tenantId: string,
  identifiers: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queries.query<{ identifier: string; count: number }>(
    `SELECT parent AS identifier, count(*) AS count
     FROM unnest($2::text[]) AS parent CROSS JOIN LATERAL (
       SELECT 1 FROM customers t WHERE t.tenant_id = $1 AND t.parents::text <> '[]'
         AND t.parents::jsonb @> jsonb_build_array(jsonb_build_object('type', 'customer', 'identifier', parent))
       OFFSET 0
     ) child GROUP BY parent`,
    [tenantId, identifiers],
  );
  return new Map(rows.map(({ identifier, count }) => [identifier, count]));
}

type Parent = CustomerRow["parents"][number];

const childrenIn = (table: string, type: Parent["type"]) =>
  `SELECT '${type}' AS type, identifier FROM ${table} WHERE tenant_id = $1 AND parents::text <> '[]'
     AND parents::jsonb @> jsonb_build_array(jsonb_build_object('type', b.type, 'identifier', b.identifier))`;

/** The lists of a price list's audience by the type they name. */
const audiences = { customer: "customerIdentifiers", customerGroup: "customerGroupIdentifiers" };

/** Customers, groups and price lists that name a customer or group, such as `the price list "vip"`: at most `most`. */
export async function namersOfCustomer(
  unit: UnitOfWork,
  { type, identifier }: Parent,
  most: number,
): Promise<string[]> {
  const namers = await unit.ask<{ name: string }>(
    `SELECT format('the %s "%s"', n.what, n.identifier) AS name
     FROM (SELECT $2::text AS type, $3::text AS identifier) b CROSS JOIN LATERAL (
       SELECT 'customer' AS what, identifier FROM (${childrenIn("customers", "customer")}) c
       UNION ALL SELECT 'customer group', identifier FROM (${childrenIn("customer_groups", "customerGroup")}) g
       UNION ALL SELECT 'price list', p.identifier FROM price_lists p
       WHERE p.tenant_id = $1
         AND p.target_audience::jsonb -> '${audiences[type]}' @> to_jsonb(b.identifier)) n
     ORDER BY n.what, n.identifier LIMIT $4`,
    [type, identifier, most],
  );
  return namers.map(({ name }) => name);
}

/** True when any customer, group or price list of the tenant names customers or groups. */
export async function anyNamesCustomers(unit: UnitOfWork): Promise<boolean> {
  const namers = [
    "customers t WHERE t.tenant_id = $1 AND t.parents::text <> '[]'",
    "customer_groups t WHERE t.tenant_id = $1 AND t.parents::text <> '[]'",
    "price_lists t WHERE t.tenant_id = $1",
  ];
  const [row] = await unit.ask<{ any: boolean }>(
    `SELECT ${namers.map((from) => `EXISTS (SELECT FROM ${from})`).join(" OR ")} AS any`,
  );
  return row?.any ?? false;
}

/** The number of levels of customers and groups below one, up to `limit`; cycles are not followed. */
export async function levelsBelow(
  unit: UnitOfWork,
  { type, identifier }: Parent,
  limit: number,
): Promise<number> {
  const [row] = await unit.ask<{ levels: number }>(
    `WITH RECURSIVE below AS (
       SELECT $2::text AS type, $3::text AS identifier, 0 AS depth
       UNION SELECT c.type, c.identifier, b.depth + 1 FROM below b CROSS JOIN LATERAL (
         ${childrenIn("customers", "customer")} UNION ALL ${childrenIn("customer_groups", "customerGroup")}
       ) c WHERE b.depth < ${limit} AND (c.type, c.identifier) <> ($2, $3)
     )
     SELECT max(depth) AS levels FROM below`,
    [type, identifier],
  );
  return row?.levels ?? 0;
}
