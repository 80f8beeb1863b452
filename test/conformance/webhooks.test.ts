import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  claimEvent,
  type EventsWanted,
  recordTry,
} from "../../packages/service/src/storage/webhooks/events.ts";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import { setWebhook } from "../../packages/service/src/webhooks/setting.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { eventually } from "../support/runner.ts";
import { openWebhookBench } from "../support/servers/webhooks/bench.ts";
import { isSignedBy, openReceiver } from "../support/servers/webhooks/receiver.ts";
import { webhookServices } from "../support/servers/webhooks/services.ts";

const group = { intent: "customer/group/upsert", identifier: "g", name: "n" };
const failing = { intent: "customer/update", identifier: "nobody" };

describe.each(engines)("webhooks on $name", ({ open }) => {
  const bench = opened(() => openWebhookBench(open));
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());

  test("a run that is undone when it fails sends one event, about both, after its undo", async () => {
    await bench.set();
    bench.deliver();
    await bench.runner();
    const more = { tenant: bench.tenant(), onFailure: "UNDO" } as const;
    const id = await bench.start([group, failing], more);
    const [told] = await bench.receiver().about(id);
    const { undoneBy } = await bench.task(id, bench.tenant());
    const undo = await bench.task(undoneBy!, bench.tenant());
    expect(told?.event).toMatchObject({
      timestamp: undo.endedAt,
      data: {
        ...{ taskId: id, kind: "run", status: "error", errorName: "TooManyFailures" },
        undo: { taskId: undoneBy, status: "complete", errorName: null, succeeded: 1, partial: 0, failed: 0 },
      },
    });
    expect(Date.parse(undo.endedAt!)).toBeLessThanOrEqual(Date.now());
    const events = await bench.logOf();
    expect(events.map(({ taskId }) => taskId)).toEqual([id]);
  });

  test("each way for a task to end sends one event that names it; a plan sends none", async () => {
    await bench.set();
    bench.deliver();
    await bench.runner();
    const start = (operations: string | object[], more = {}) =>
      bench.start(operations as [], { tenant: bench.tenant(), ...more });
    const pending = await start([group], { autoStart: false });
    await cancelTask(bench.database, bench.tenant().id, pending);
    const plan = await start([group], { autoStart: false });
    await bench.database.execute("UPDATE bulk_tasks SET kind = 'plan' WHERE id = $1", [plan]);
    await cancelTask(bench.database, bench.tenant().id, plan);
    const lost = await start([group], { autoStart: false });
    await bench.store.delete((await bench.task(lost, bench.tenant())).key);
    await bench.database.execute(
      "UPDATE bulk_tasks SET status = 'started', started_at = now(), start_order = 1 WHERE id = $1",
      [lost],
    );
    const ways: Record<string, [id: string, status: string, errorName: string | null]> = {
      complete: [await start([group, failing]), "complete", null],
      failed: [await start([failing, group], { maxFailures: 0 }), "error", "TooManyFailures"],
      invalid: [await start("{"), "error", "ValidationError"],
      cancelled: [pending, "error", "Cancelled"],
      "lost file": [lost, "error", "ObjectMissing"],
    };
    for (const [way, [id, status, errorName]] of Object.entries(ways)) {
      const [told] = await bench.receiver().about(id);
      expect(told?.event.data, way).toMatchObject({
        tenantId: bench.tenant().id,
        kind: "run",
        status,
        errorName,
      });
    }
    const [, complete] = Object.entries(ways)[0]!;
    expect((await bench.receiver().about(complete[0]))[0]?.event).toMatchObject({
      type: "bulkTask.ended",
      data: {
        ofTask: null,
        progress: { total: 2, processed: 2, succeeded: 1, partial: 0, failed: 1, skipped: 0, created: 1 },
      },
    });
    expect((await bench.logOf()).map(({ taskId }) => taskId).sort()).toEqual(
      Object.values(ways)
        .map(([id]) => id)
        .sort(),
    );
    await bench.untilLogged("delivered", 1);
    expect(bench.receiver().received).toHaveLength(5);
  });

  test("an event has the ids, kind, status and counters of its task, and nothing of the tenant's data", async () => {
    const secret = await bench.set();
    bench.deliver();
    const id = await bench.ended();
    const [told] = await bench.receiver().about(id);
    const { data } = told!.event;
    const { progress, ...facts } = data;
    expect(Object.keys(facts).sort()).toEqual([
      ...[
        "createdAt",
        "endedAt",
        "errorCount",
        "errorName",
        "kind",
        "ofTask",
        "status",
        "taskId",
        "tenantId",
      ],
      "warningCount",
    ]);
    for (const [name, value] of Object.entries(progress as object))
      expect([null, "number"], name).toContain(value === null ? null : typeof value);
    expect(told!.body).not.toContain(bench.tenant().identifier);
    expect(told!.headers).toMatchObject({ "content-type": "application/json", "webhook-id": `evt_${id}` });
    expect(Math.abs(Number(told!.headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(60);
    expect([isSignedBy(secret, told!), isSignedBy(`${secret.slice(0, -4)}AAA=`, told!)]).toEqual([
      true,
      false,
    ]);
  });

  test("a receiver that was down gets the event once it is up, with the id of the first try", async () => {
    await bench.set();
    const { port } = bench.receiver();
    await bench.receiver().close();
    bench.deliver({ pause: () => 10 });
    const id = await bench.ended();
    const down = await bench.untilLogged("pending", 2);
    expect(down?.tries[0]).toMatchObject({
      statusCode: null,
      error: "its host refused the connection (ECONNREFUSED)",
    });
    await bench.reopenReceiver(port);
    expect((await bench.receiver().about(id))[0]?.id).toBe(`evt_${id}`);
    const delivered = await bench.untilLogged("delivered", 3);
    expect(delivered?.tries.at(-1)).toMatchObject({ statusCode: 204, error: null });
    expect(delivered?.nextTryAt).toBe(null);
  });

  test("a receiver that answers with errors gets eight tries of the same event, and no more", async () => {
    await bench.set();
    bench.receiver().answers((response) => response.writeHead(500).end("x"));
    bench.deliver();
    const id = await bench.ended();
    const failed = await bench.untilLogged("failed", 8);
    expect(failed?.tries).toHaveLength(8);
    expect(failed?.tries[7]).toMatchObject({ statusCode: 500, error: "its host answered HTTP 500" });
    const told = await bench.receiver().about(id, 8);
    expect(new Set(told.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
    expect(told).toHaveLength(8);
  });

  test("a redirect is a failure, and is not followed", async () => {
    await bench.set();
    bench
      .receiver()
      .answers((response) => response.writeHead(307, { location: `${bench.receiver().url}/other` }).end());
    bench.deliver({ pause: () => null });
    await bench.ended();
    const failed = await bench.untilLogged("failed", 1);
    expect(failed?.tries[0]?.error).toBe("its host answered HTTP 307, a redirect, which is not followed");
    expect(bench.receiver().received.map(({ path }) => path)).toEqual(["/hook"]);
  });

  test("a private address is refused when it is set and when an event is sent", async () => {
    const closed = webhookServices([]);
    for (const url of [
      "http://127.0.0.1/",
      "http://[::1]/",
      "http://169.254.169.254/latest",
      "ftp://a.example/",
      "x",
    ])
      await expect(setWebhook(bench.scopeOf(undefined, closed), url), url).rejects.toThrow("cannot be used");
    // The second is a name that resolves to a private address, perhaps since it was set.
    await bench.set("http://hooks.example/");
    bench.deliver({
      ...closed,
      pause: () => null,
      resolve: (_, __, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
    });
    const [byName, byAddress] = [
      await bench.ended(),
      await bench.ended({ webhookUrl: `${bench.receiver().url}/own` }),
    ];
    await bench.untilLogged("failed", 1);
    const log = await eventually(bench.logOf, (all) => all.every(({ status }) => status === "failed"));
    const reason = (id: string) => log.find(({ taskId }) => taskId === id)?.tries[0]?.error;
    expect(reason(byName)).toBe(
      "hooks.example does not lead to a public address and is not among LADING_WEBHOOK_HOSTS",
    );
    expect(reason(byAddress)).toMatch(/^127\.0\.0\.1 does not lead to a public address/);
    expect(bench.receiver().received).toEqual([]);
  });

  test("a receiver fails if its status is late, but not if its body is slow", async () => {
    await bench.set();
    bench.receiver().answers((response, { path }) => {
      if (path === "/silent") return;
      response.writeHead(200).flushHeaders();
      if (path === "/endless") setInterval(() => response.write("x".repeat(1_000)), 1);
    });
    bench.deliver({ limits: { time: 300 }, pause: () => null });
    const urls = ["/silent", "/hook", "/endless"].map((path) => bench.receiver().url + path);
    const [silentId, slow, endless] = await Promise.all(
      urls.map((webhookUrl) => bench.ended({ webhookUrl })),
    );
    const log = await eventually(bench.logOf, (all) => all.every(({ status }) => status !== "pending"));
    const [one, two, three] = [silentId, slow, endless].map((id) => log.find(({ taskId }) => taskId === id));
    expect([one?.status, two?.status, three?.status]).toEqual(["failed", "delivered", "delivered"]);
    expect(one?.tries[0]).toMatchObject({ statusCode: null, error: "it took longer than 0.3 seconds" });
    // No connection stays open, whatever else the receiver sends.
    await eventually(
      async () => bench.receiver().open(),
      (open) => open === 0,
    );
  });

  test("events of a slow host delay neither other hosts nor other tenants", async () => {
    const others = await Promise.all([bench.newTenant(), bench.newTenant()]);
    for (const of of [bench.tenant(), ...others]) await bench.set(`${bench.receiver().url}/fast`, of);
    const slow = await openReceiver();
    slow.answers(() => {});
    // All are due before the first is claimed; those of the slow host are the oldest.
    for (let i = 0; i < 6; i++) await bench.ended({ webhookUrl: `${slow.url}/slow` });
    const fast = [
      await bench.ended(),
      await bench.ended({ of: others[0]! }),
      await bench.ended({ of: others[1]! }),
    ];
    bench.deliver({ limits: { concurrency: 4, ofTenant: 3, ofHost: 2 } });
    for (const id of fast) await bench.receiver().about(id);
    expect(slow.received.length).toBeLessThanOrEqual(2);
    await slow.close();
  });

  test("an event committed before its runner died is sent once by another runner", async () => {
    await bench.set();
    const id = await bench.ended();
    expect(await bench.logOf()).toMatchObject([{ taskId: id, status: "pending", tries: [] }]);
    for (let i = 0; i < 3; i++) bench.deliver();
    await bench.untilLogged("delivered", 1);
    expect((await bench.receiver().about(id)).map((one) => one.id)).toEqual([`evt_${id}`]);
  });

  const wanted: EventsWanted = {
    ...{ lease: 60_000, keyIds: webhookServices().sealing.keyIds, after: "", fullTenants: [], fullHosts: [] },
  };
  const made = { at: new Date().toISOString(), durationMs: 1, statusCode: 500, error: "no" };

  test("one of many runners claims an event; after the claim expires another can, and a late result is refused", async () => {
    await bench.set();
    const id = await bench.ended();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimEvent(bench.database, wanted)));
    const [dead, ...others] = claims.filter((event) => event !== undefined);
    expect([dead?.taskId, others]).toEqual([id, []]);
    await bench.database.execute("UPDATE webhook_events SET due_at = now() WHERE task_id = $1", [id]);
    const next = await claimEvent(bench.database, wanted);
    expect(await recordTry(bench.database, dead!, made, 10)).toBe(false);
    expect(await bench.logOf()).toMatchObject([{ status: "pending", tries: [] }]);
    expect(await recordTry(bench.database, next!, made, null)).toBe(true);
    expect(await bench.logOf()).toMatchObject([{ status: "failed", tries: [made] }]);
  });

  test("tenants take turns, not by the age of their events", async () => {
    const tenants = [bench.tenant(), await bench.newTenant(), await bench.newTenant()];
    for (const of of tenants) {
      await bench.set(undefined, of);
      for (let i = 0; i < 2; i++) await bench.ended({ of });
    }
    const claimed: string[] = [];
    for (let i = 0; i < 6; i++) {
      const event = await claimEvent(bench.database, { ...wanted, after: claimed.at(-1) ?? "" });
      claimed.push(event!.tenantId);
    }
    const round = tenants.map(({ id }) => id).sort();
    expect(claimed).toEqual([...round, ...round]);
  });

  test("a runner that stops releases the event it is sending", async () => {
    await bench.set();
    bench.receiver().answers(() => {});
    const stop = bench.deliver({ limits: { stopGrace: 50 } });
    const id = await bench.ended();
    await bench.receiver().about(id);
    await stop();
    expect(await bench.logOf()).toMatchObject([{ status: "pending", tries: [] }]);
    bench.receiver().answers((response) => response.writeHead(200).end());
    bench.deliver();
    expect((await bench.receiver().about(id, 2)).map((one) => one.id)).toEqual([`evt_${id}`, `evt_${id}`]);
  });
});
