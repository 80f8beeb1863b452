import { expect, test } from "vitest";
import { sharedDatabase } from "../../../../test/support/engines.ts";
import { opened } from "../../../../test/support/opened.ts";
import { TenantBusy } from "../../src/errors.ts";
import type { Database } from "../../src/storage/database.ts";
import { tenantConnections, tenantShares } from "../../src/storage/tenant-shares.ts";

const database = opened(sharedDatabase);

/** The same database, whose statements end once the gate opens. */
function gated(gate: Promise<void>) {
  const begun: string[] = [];
  const query: Database["query"] = async (sql, parameters) => {
    begun.push(sql);
    await gate;
    return database.query(sql, parameters);
  };
  return { begun, database: { ...database, query } };
}

const many = <Result>(count: number, make: (i: number) => Result) =>
  Array.from({ length: count }, (_, i) => make(i));

test("statements of a tenant beyond its share wait in their order, and those of another do not", async () => {
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  const { begun, database } = gated(gate);
  const shareOf = tenantShares(database);
  const answers = many(20, (i) => shareOf("one").query(`SELECT ${i} AS number`));
  const other = shareOf("other").query("SELECT 'other' AS number");
  expect(begun).toEqual([
    ...many(tenantConnections, (i) => `SELECT ${i} AS number`),
    "SELECT 'other' AS number",
  ]);
  openGate();
  expect(await Promise.all([...answers, other])).toEqual([
    ...many(20, (number) => [{ number }]),
    [{ number: "other" }],
  ]);
  expect(begun.filter((sql) => !sql.includes("other"))).toEqual(many(20, (i) => `SELECT ${i} AS number`));
});

test("a failed statement or transaction frees its slot", async () => {
  const share = tenantShares(database)("one");
  const refused = many(20, (i) =>
    i % 2 === 0
      ? share.query("SELECT no_such_column")
      : share.transaction(async () => {
          throw new Error("refused");
        }),
  );
  expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual(many(20, () => "rejected"));
  expect(await share.query("SELECT 1 AS number")).toEqual([{ number: 1 }]);
});

test("a statement that waits too long for its tenant's share is refused, and the others are not", async () => {
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  const gates = gated(gate);
  const share = tenantShares(gates.database, 20)("one");
  const running = many(tenantConnections, () => share.query("SELECT 1 AS number"));
  await expect(share.query("SELECT 2 AS number")).rejects.toThrow(TenantBusy);
  expect(gates.begun).toHaveLength(tenantConnections);
  openGate();
  expect(await Promise.all(running)).toEqual(many(tenantConnections, () => [{ number: 1 }]));
  expect(await share.query("SELECT 3 AS number")).toEqual([{ number: 3 }]);
});
