import { expect, onTestFinished, test } from "vitest";
import { startDueTasks, untilNextDate } from "../../packages/service/src/storage/bulk-tasks/dated.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openServerOrCluster } from "../../packages/service/src/storage/engines/citus/cluster.ts";
import { createAccessToken, revokeAccessToken } from "../../packages/service/src/tenants/access-tokens.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { type CreatedTenant, createTenant } from "../../packages/service/src/tenants/create.ts";
import { openBrowser, tokenOf } from "../../packages/service/test/http/console/browser.ts";
import { headersOf, openApi, operatorToken } from "../../packages/service/test/http/support.ts";
import { migratedDatabase } from "../support/database.ts";
import { clusterUrl } from "../support/postgres/create-database.ts";

const workerOf = `SELECT groupid FROM pg_dist_placement
  WHERE shardid = get_shard_id_for_distribution_column('tenants', $1::text)`;

/** Creates a tenant on another worker than that of a tenant. */
async function tenantElsewhere(database: Database, tenantId: string): Promise<CreatedTenant> {
  for (let n = 0; ; n++) {
    const created = await createTenant(database, { identifier: `other${n || ""}` });
    const workers = [tenantId, created.tenant.id].map((id) => database.query(workerOf, [id]));
    const [one, two] = await Promise.all(workers);
    if (JSON.stringify(one) !== JSON.stringify(two)) return created;
  }
}

test.skipIf(clusterUrl === undefined)(
  "while a worker is unreachable, tenants of another one start tasks at their dates, sign in, and lose the streams of revoked tokens",
  async () => {
    const fresh = await migratedDatabase();
    onTestFinished(fresh.drop);
    const database = await openServerOrCluster(fresh.url);
    const api = await openApi({ database, tokenCheck: 50, publicUrl: () => "https://shop.example/" });
    onTestFinished(api.close);
    const { shop } = api;
    const url = await api.server.listen({ port: 0, host: "127.0.0.1" });
    const token = await createAccessToken(database, shop.tenant.id, { name: "reads", role: "reader" });
    const task = await api.task();
    await database.execute("UPDATE bulk_tasks SET start_at = now() WHERE tenant_id = $1", [shop.tenant.id]);
    const stream = await fetch(`${url}/@shop/tasks/${task.id}/events`, { headers: headersOf(token) });

    const elsewhere = openBrowser(api.server);
    const other = await tenantElsewhere(database, shop.tenant.id);
    await elsewhere.signIn(other.tenant.identifier, tokenOf(other));

    await database.execute(`UPDATE pg_dist_node SET nodeport = 1 WHERE groupid NOT IN (0, (${workerOf}))`, [
      shop.tenant.id,
    ]);
    await expect(database.query("SELECT count(*) FROM bulk_tasks")).rejects.toThrow(/connection/);

    await revokeAccessToken(database, shop.tenant, token.id, operator);
    expect(await stream.text()).toContain('event: closed\ndata: {"code":"Unauthorized"');

    expect(await untilNextDate(database)).toBe(undefined);
    await startDueTasks(database);
    expect(
      await api.field(
        "query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { status } ... on BasicError { error } } }",
        {
          id: task.id,
        },
      ),
    ).toEqual({ status: "started" });

    const { code } = (
      await api.server.inject({
        method: "POST",
        url: "/@shop/console-code",
        headers: await api.tokenHeaders("reader"),
      })
    ).json();
    const browser = openBrowser(api.server);
    const payload = { tenant: "shop", code };
    const signedIn = await browser.send({ method: "POST", url: "/console/session", payload });
    expect([signedIn.statusCode, signedIn.json()]).toMatchObject([
      200,
      { tenants: [{ identifier: "shop" }] },
    ]);
    expect((await browser.send({ url: "/console/session" })).json()).toMatchObject({
      tenants: [{ identifier: "shop" }],
    });
    expect((await browser.send({ method: "DELETE", url: "/console/session/shop" })).statusCode).toBe(204);

    const { cookie } = elsewhere;
    expect((await elsewhere.send({ url: "/console/session" })).statusCode).toBe(503);
    expect([(await elsewhere.ask(other.tenant.identifier)).statusCode, elsewhere.cookie]).toEqual([
      503,
      cookie,
    ]);

    const asked = await api.send({
      ...{ method: "POST", url: "/operator", headers: { authorization: `Bearer ${operatorToken}` } },
      payload: {
        query:
          'mutation { updateTenant(identifier: "shop", input: { name: "Other" }) { ... on Tenant { name } ... on BasicError { error } } }',
      },
    });
    expect(asked.body).toEqual({ data: { updateTenant: { name: "Other" } } });
  },
);
