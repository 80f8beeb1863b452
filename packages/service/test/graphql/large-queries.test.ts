import { expect, test } from "vitest";
import { openTestPglite } from "../../../../test/support/engines.ts";
import { waitingQueries } from "../../src/graphql/execution/large-queries.ts";
import type { Database } from "../../src/storage/database.ts";
import { openApi } from "../http/support.ts";

const aliases = Array.from({ length: 10 }, (_, i) => `a${i}: identifier`).join(" ");
const large = `{ customers(first: 1000) { ... on BasicError { error }
  ... on CustomerConnection { edges { node { ${aliases} } } } } }`;

/** The same database; customers are read once the gate opens. */
function gated(database: Database, gate: Promise<void>): Database {
  return {
    ...database,
    query: async (sql, parameters) => {
      if (/\bcustomers\b/.test(sql)) await gate;
      return database.query(sql, parameters) as Promise<never[]>;
    },
  };
}

test("only so many large queries of a tenant wait for their turn", async () => {
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  const api = await openApi({ database: gated(await openTestPglite(), gate) });
  let refused = 0;
  const ask = async () => {
    const { status, body } = await api.ask(large);
    if (status !== 429) return status;
    expect(body.errors[0].extensions.code).toBe("TooManyQueries");
    refused += 1;
    return status;
  };
  // One is executed.
  const answers = Array.from({ length: waitingQueries + 4 }, ask);
  await expect.poll(() => refused).toBe(3);
  expect(await api.data("{ tenant { identifier } }")).toEqual({ tenant: { identifier: "shop" } });
  openGate();
  expect((await Promise.all(answers)).filter((status) => status === 200)).toHaveLength(waitingQueries + 1);
  expect(await ask()).toBe(200);
  await api.close();
});
