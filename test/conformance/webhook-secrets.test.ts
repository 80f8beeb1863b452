import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { deleteTenant } from "../../packages/service/src/tenants/delete.ts";
import { pruneDeliveries, renewSealing } from "../../packages/service/src/webhooks/housekeeping.ts";
import { removeWebhook, rotateSecret } from "../../packages/service/src/webhooks/setting.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { silent } from "../support/runner.ts";
import { openWebhookBench } from "../support/servers/webhooks/bench.ts";
import { isSignedBy } from "../support/servers/webhooks/receiver.ts";
import { webhookServices } from "../support/servers/webhooks/services.ts";

describe.each(engines)("the webhook of a tenant on $name", ({ open }) => {
  const bench = opened(() => openWebhookBench(open));
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());

  test("both secrets sign during a rotation, then only the new one", async () => {
    const first = await bench.set();
    const { secret: second, webhook } = await rotateSecret(bench.scopeOf());
    expect(Date.parse(webhook.previousUntil!) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    bench.deliver();
    const signedBy = async (secrets: string[]) => {
      const [told] = await bench.receiver().about(await bench.ended());
      return secrets.map((secret) => isSignedBy(secret, told!));
    };
    expect(await signedBy([first, second!])).toEqual([true, true]);
    await bench.database.execute("UPDATE webhooks SET previous_until = now() WHERE tenant_id = $1", [
      bench.tenant().id,
    ]);
    expect(await signedBy([first, second!])).toEqual([false, true]);
    const { secret: third } = await rotateSecret(bench.scopeOf(), 0);
    expect(await signedBy([first, second!, third!])).toEqual([false, false, true]);
    // Setting another URL keeps the secret.
    expect(await bench.set(`${bench.receiver().url}/moved`)).toBe(null);
    expect(await signedBy([third!])).toEqual([true]);
    expect(bench.receiver().received.at(-1)?.path).toBe("/moved");
  });

  test("a tenant gets events only of its own tasks, at the task's URL or else its own", async () => {
    const stranger = await bench.newTenant();
    const [secret, theirs] = [await bench.set(), await bench.set(`${bench.receiver().url}/theirs`, stranger)];
    bench.deliver();
    const [mine, elsewhere] = [
      await bench.ended(),
      await bench.ended({ webhookUrl: `${bench.receiver().url}/elsewhere` }),
    ];
    const strange = await bench.ended({ of: stranger });
    const told = await Promise.all(
      [mine, elsewhere, strange].map(async (id) => (await bench.receiver().about(id))[0]!),
    );
    expect(told.map(({ path }) => path)).toEqual(["/hook", "/elsewhere", "/theirs"]);
    expect(told.map((one) => [isSignedBy(secret, one), isSignedBy(theirs, one)])).toEqual([
      ...[
        [true, false],
        [true, false],
        [false, true],
      ],
    ]);
    expect((await bench.logOf(stranger)).map(({ taskId }) => taskId)).toEqual([strange]);
  });

  test("without a URL of the tenant, only tasks with their own URL send events", async () => {
    await bench.ended();
    await expect(bench.ended({ webhookUrl: `${bench.receiver().url}/own` })).rejects.toThrow(
      "The tenant has no webhook",
    );
    expect(await bench.set(null)).toMatch(/^whsec_/);
    await bench.ended();
    const own = await bench.ended({ webhookUrl: `${bench.receiver().url}/own` });
    expect((await bench.logOf()).map(({ taskId, url }) => [taskId, url])).toEqual([
      [own, `${bench.receiver().url}/own`],
    ]);
  });

  test("removing a webhook ends its pending events, including those of a task that ends meanwhile", async () => {
    await bench.set();
    const [first, second] = [await bench.ended(), await bench.ended()];
    await removeWebhook(bench.scopeOf());
    expect((await bench.logOf()).map(({ status }) => status)).toEqual(["dropped", "dropped"]);
    await bench.database.execute("UPDATE webhook_events SET status = 'pending' WHERE task_id = $1", [second]);
    await bench.ended();
    await bench.deliverAll();
    await pruneDeliveries(bench.database, () => false);
    expect((await bench.logOf()).map(({ taskId, status }) => [taskId, status])).toEqual([
      ...[
        [second, "dropped"],
        [first, "dropped"],
      ],
    ]);
    expect(bench.receiver().received.map(({ path }) => path)).toEqual(["/other", "/other"]);
    await expect(removeWebhook(bench.scopeOf())).rejects.toThrow("has no webhook");
  });

  test("a deleted tenant gets no events, and leaves no rows", async () => {
    await bench.set();
    await bench.start([{ intent: "customer/group/upsert", identifier: "g", name: "n" }], {
      tenant: bench.tenant(),
    });
    const waiting = await bench.ended();
    const deleteFiles = bench.store.deleteAll;
    await deleteTenant(
      { database: bench.database, logger: silent, deleteFiles },
      bench.tenant().identifier,
      operator,
    );
    await bench.deliverAll();
    const [left] = await bench.database.query<{ rows: number }>(
      `SELECT (SELECT count(*) FROM webhooks WHERE tenant_id = $1)
         + (SELECT count(*) FROM webhook_events WHERE tenant_id = $1) AS rows`,
      [bench.tenant().id],
    );
    expect([
      Number(left?.rows),
      bench.receiver().received.filter(({ id }) => id === `evt_${waiting}`),
    ]).toEqual([0, []]);
  });

  test("housekeeping removes the log after 30 days", async () => {
    await bench.set();
    const [old, young] = [await bench.ended(), await bench.ended()];
    const age = "UPDATE webhook_events SET created_at = now() - $2 * interval '1 day' WHERE task_id = $1";
    await bench.database.execute(age, [old, 31]);
    await bench.database.execute(age, [young, 29]);
    expect(await pruneDeliveries(bench.database, () => false)).toBe(1);
    expect((await bench.logOf()).map(({ taskId }) => taskId)).toEqual([young]);
  });

  test("events wait for a runner with the signing key; housekeeping reencrypts secrets with a new key", async () => {
    const secret = await bench.set();
    const services = { database: bench.database, logger: silent };
    const id = await bench.ended();
    const stranger = webhookServices(undefined, "another key");
    await bench.deliverAll(stranger);
    await renewSealing(services, stranger.sealing, () => false);
    expect(await bench.logOf()).toMatchObject([{ status: "pending", tries: [] }]);
    await rotateSecret(bench.scopeOf());
    const rotating = webhookServices(undefined, "a new key", "the signing key of the tests");
    await renewSealing(services, rotating.sealing, () => false);
    bench.deliver(webhookServices(undefined, "a new key"));
    const [told] = await bench.receiver().about(id);
    expect(isSignedBy(secret, told!)).toBe(true);
  });
});
