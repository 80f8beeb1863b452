import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPersonBrowser } from "../../packages/service/test/http/console/oidc/person.ts";
import { operatorPost, type TenantClient, uploadWith } from "../support/client.ts";
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from "../support/servers/identity-provider.ts";
import { freePort } from "../support/servers/port.ts";
import { finished, openService, startFile, type TestService } from "../support/service.ts";
import { valuesIn } from "./plan-values.ts";

let idp: IdentityProvider;
let service: TestService;
let admin: TenantClient;

beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  idp = await startIdentityProvider(publicUrl);
  const oidc = { oidcIssuer: idp.issuer, oidcClientId: clientId, oidcClientSecret: clientSecret };
  service = await openService("postgresql", { rateLimit: 0, port, publicUrl, ...oidc });
  admin = await service.tenant("shop");
  for (const [group, role] of Object.entries({ readers: "reader", planners: "planner", owners: "admin" }))
    await operatorPost(
      service,
      `mutation { mapGroup(group: "${group}", tenantIdentifier: "shop", role: ${role}) {
         ... on GroupRole { role } ... on BasicError { error } } }`,
    );
  for (const [sub, group] of Object.entries({ ada: "planners", grace: "planners", owner: "owners" }))
    idp.persons.set(sub, { name: sub, groups: [group] });
});
afterAll(async () => {
  await service.close();
  await idp.close();
});

/** Signs a person in by the service's real server, and returns a client of the shop with the session. */
async function signedIn(sub: string): Promise<TenantClient> {
  idp.signedIn = sub;
  const inject = async ({ method = "GET", url, headers, payload }: InjectOptions) => {
    const response = await fetch(new URL(String(url), service.url), {
      ...{ method, redirect: "manual" },
      headers: { ...(headers as Record<string, string>), "content-type": "application/json" },
      ...(payload !== undefined && { body: JSON.stringify(payload) }),
    });
    const body = await response.text();
    const { location } = Object.fromEntries(response.headers);
    return {
      ...{ statusCode: response.status, body, json: () => JSON.parse(body) },
      headers: { location, "set-cookie": response.headers.getSetCookie() },
    };
  };
  const browser = openPersonBrowser({ inject }, idp, service.url);
  expect((await browser.signIn()).statusCode).toBe(200);
  const graphql = async <Data>(query: string, variables?: Record<string, unknown>): Promise<Data> => {
    const { data, errors } = (await browser.ask("shop", query, variables)).json();
    if (errors) throw new Error(errors[0].message);
    return data;
  };
  return { ...admin, graphql, upload: (file, type) => uploadWith(graphql, file, type) };
}

const plan = (client: TenantClient, name: string, more: object = {}) =>
  startFile(
    client,
    { version: "1.0.0", operations: [{ intent: "customer/group/upsert", identifier: "vip", name }] },
    { kind: "plan", ...more },
  );

const cancel = async (client: TenantClient, id: string) => {
  const { it } = await client.graphql<{ it: { error?: string } }>(
    `mutation ($id: ID!) { it: cancelMassOperationBulkTask(id: $id) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
    { id },
  );
  return it.error;
};

test("a person with the role planner cannot run a file", async () => {
  await expect(plan(await signedIn("ada"), "Other", { kind: "run" })).rejects.toThrow(
    /^Your role is planner; a mutation needs the role admin/,
  );
});

test("the limit of open plans is the person's, in all of their sessions, and another person has their own", async () => {
  const [one, two, grace] = [await signedIn("ada"), await signedIn("ada"), await signedIn("grace")];
  const open = [];
  for (const client of [one, two, one]) open.push(await plan(client, "Open", { autoStart: false }));
  for (const client of [one, two]) await expect(plan(client, "Fourth")).rejects.toThrow(/limit is 3/);
  const others = await plan(grace, "Hers", { autoStart: false });
  expect(await cancel(one, others)).toMatch(/needs the role admin/);
  expect(await cancel(grace, open[0]!)).toMatch(/needs the role admin/);
  for (const id of open) expect(await cancel(two, id)).toBeUndefined();
  expect(await cancel(await signedIn("owner"), others)).toBeUndefined();
});

test("a person reads what their own plan would change, and another person who runs it is in the audit trail", async () => {
  const [ada, grace, owner] = [await signedIn("ada"), await signedIn("grace"), await signedIn("owner")];
  const id = await plan(ada, "Approved");
  await finished(ada, id);
  for (const client of [ada, await signedIn("ada"), owner])
    expect((await valuesIn(client, id))[0]).toContainEqual(
      expect.objectContaining({ pointer: "/name", after: "Approved" }),
    );
  expect(await valuesIn(grace, id)).toEqual([null]);
  const { run } = await owner.graphql<{ run: { id: string; createdBy: string } }>(
    `mutation ($plan: ID!) { run: createMassOperationBulkTask(input: { plan: $plan, autoStart: true }) {
       ... on BulkTaskMassOperation { id createdBy } ... on BasicError { error } } }`,
    { plan: id },
  );
  expect(run.createdBy).toBe("owner");
  expect((await finished(admin, run.id)).progress.succeeded).toBe(1);
  const { auditTrail } = await admin.graphql<{ auditTrail: { edges: { node: object }[] } }>(
    `{ auditTrail(filter: { action: "bulkTask.created" }, first: 2) { edges { node {
       subjectId actor personSubject } } } }`,
  );
  expect(auditTrail.edges.map(({ node }) => node)).toEqual([
    { subjectId: run.id, actor: "person", personSubject: "owner" },
    { subjectId: id, actor: "person", personSubject: "ada" },
  ]);
});

test("a task that a person has cancelled names them, and not an access token", async () => {
  const ada = await signedIn("ada");
  const id = await plan(ada, "Cancelled", { autoStart: false });
  await cancel(ada, id);
  const { bulkTask } = await ada.graphql<{ bulkTask: { info: { stack: string } } }>(
    "query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { info { stack } } ... on BasicError { error } } }",
    { id },
  );
  expect(bulkTask.info.stack).toMatch(/^Cancelled by the person "ada" \(person-[0-9a-f]{40}\)\n/);
});

test("a person who is a planner no more has no plans of their own", async () => {
  const isOwn = async (client: TenantClient, id: string) => {
    const { bulkTask } = await client.graphql<{ bulkTask: { isOwnPlan: boolean } }>(
      "query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { isOwnPlan } ... on BasicError { error } } }",
      { id },
    );
    return bulkTask.isOwnPlan;
  };
  idp.persons.set("alan", { name: "alan", groups: ["planners"] });
  const planner = await signedIn("alan");
  const id = await plan(planner, "Former", { autoStart: false });
  expect(await isOwn(planner, id)).toBe(true);
  idp.persons.set("alan", { name: "alan", groups: ["readers"] });
  expect(await isOwn(await signedIn("alan"), id)).toBe(false);
});
