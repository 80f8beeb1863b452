import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimEvent, type EventsWanted } from "../../packages/service/src/storage/webhooks/events.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { eventually } from "../support/runner.ts";
import { openWebhookBench } from "../support/servers/webhooks/bench.ts";
import { webhookServices } from "../support/servers/webhooks/services.ts";

describe.each(engines)("the order of webhooks on $name", ({ open }) => {
  const bench = opened(() => openWebhookBench(open));
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());

  const wanted: EventsWanted = {
    ...{ lease: 60_000, keyIds: webhookServices().sealing.keyIds, after: "", fullTenants: [], fullHosts: [] },
  };

  test("an event that another runner is claiming is skipped without waiting", async ({ skip }) => {
    const { database } = bench;
    if (database.engine === "pglite") skip("PGlite has one connection");
    await bench.set();
    const [first, second] = [await bench.ended(), await bench.ended()];
    await database.transaction(async (other) => {
      await other.query("SELECT FROM webhook_events WHERE tenant_id = $1 AND task_id = $2 FOR UPDATE", [
        bench.tenant().id,
        first,
      ]);
      const claimed = () =>
        database.transaction(async (transaction) => {
          // Any wait for a lock fails.
          await transaction.query("SET LOCAL lock_timeout = 1");
          return claimEvent(transaction, wanted);
        });
      expect((await claimed())?.taskId).toBe(second);
      expect(await claimed()).toBe(undefined);
    });
    expect((await claimEvent(database, wanted))?.taskId).toBe(first);
  });

  test("a process sends events of tenants in turns, not by age", async () => {
    const tenants = [bench.tenant(), await bench.newTenant(), await bench.newTenant()];
    for (const of of tenants) {
      await bench.set(undefined, of);
      for (let i = 0; i < 2; i++) await bench.ended({ of });
    }
    bench.deliver({ limits: { concurrency: 1 } });
    const { received } = bench.receiver();
    await eventually(
      async () => received,
      ({ length }) => length === 6,
    );
    const round = tenants.map(({ id }) => id).sort();
    expect(received.map(({ event }) => event.data.tenantId)).toEqual([...round, ...round]);
  });
});
