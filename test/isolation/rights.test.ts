import { type TokenRole, tokenRoles } from "@lading/schema/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import type { FieldRights } from "../../packages/service/src/graphql/root-fields.ts";
import { routeRights } from "../../packages/service/src/http/access.ts";
import { createAccessToken } from "../../packages/service/src/tenants/access-tokens.ts";
import { may, rights } from "../../packages/service/src/tenants/rights.ts";
import type { TenantClient } from "../support/client.ts";
import { callables } from "../support/generated/calls.ts";
import { tokenHeaders } from "../support/service.ts";
import { stateOf } from "./state.ts";
import { type Neighbours, openNeighbours } from "./tenants.ts";

const schema = coreSchema();
const fields = callables(schema);

/** The rights of a root field, according to the table. */
function rightsOf({ kind, name }: { kind: "query" | "mutation"; name: string }): FieldRights<unknown> {
  const type = kind === "query" ? schema.getQueryType() : schema.getMutationType();
  return type?.getFields()[name]?.extensions.rights as FieldRights<unknown>;
}

let neighbours: Neighbours;
let clients: Record<TokenRole, TenantClient>;

beforeAll(async () => {
  neighbours = await openNeighbours();
  const { owner, database } = neighbours;
  const of = async (role: TokenRole): Promise<TenantClient> => {
    const token = await createAccessToken(database, owner.access.tenant.id, { name: role, role });
    return {
      ...owner,
      access: { ...owner.access, accessTokenId: token.id, accessTokenSecret: token.secret },
    };
  };
  clients = { reader: await of("reader"), planner: await of("planner"), admin: owner };
}, 120_000);
afterAll(() => neighbours.close());

const send = (role: TokenRole, call: object) => neighbours.send("owner", clients[role], call);
const isRefused = (text: string) => text.includes('"UnauthorizedError"');

async function stateExceptTokens() {
  const { access_tokens: _, ...state } = await stateOf(
    neighbours.database,
    neighbours.owner.access.tenant.id,
  );
  return state;
}

test("these are the first roles that have each right, and the rights that routes need", () => {
  expect(Object.entries(rights).map(([right, { role }]) => `${right}: ${role}`)).toEqual([
    "read: reader",
    "plan: planner",
    "readPlannedValues: planner",
    "write: admin",
    "readValues: admin",
    "readPersonalData: admin",
    "readFailures: admin",
    "readPictures: admin",
    "readTokens: admin",
    "readWebhook: admin",
    "dump: admin",
  ]);
  const others = Object.entries(routeRights).filter(([, right]) => right !== "read");
  expect(Object.fromEntries(others)).toEqual({
    "/@:tenant/tasks/:id/failures.json": "readFailures",
    "/@:tenant/dump.json": "dump",
  });
});

test("every root field names a right, and only these need another than reading or writing", () => {
  const others = fields
    .filter((field) => rightsOf(field).right !== (field.kind === "query" ? "read" : "write"))
    .map((field) => [field.name, rightsOf(field).right]);
  expect(Object.fromEntries(others)).toEqual({
    accessTokens: "readTokens",
    storedPictures: "readPictures",
    webhook: "readWebhook",
    webhookDeliveries: "readWebhook",
  });
});

test("a planner may call only these mutations, for some arguments", () => {
  const excepted = fields.filter((field) => rightsOf(field).exception !== undefined);
  expect(excepted.map(({ name }) => name).sort()).toEqual([
    "cancelMassOperationBulkTask",
    "createMassOperationBulkTask",
    "generatePresignedUploadRequest",
    "startMassOperationBulkTask",
  ]);
  for (const field of excepted) expect(rightsOf(field).exception?.right).toBe("plan");
});

// Admins come last, as their calls change the tenant.
describe.each(tokenRoles)("with the role %s", (role) => {
  test.each(fields.map((field) => [field.name, field] as const))(
    "%s is answered as the table says",
    async (_name, field) => {
      const keys = neighbours.keys.map(({ real }) => real).slice(0, 1);
      const { status, text } = await send(role, field.call(keys));
      expect(status).toBeLessThan(500);
      expect(isRefused(text), text.slice(0, 500)).toBe(!may({ role }, rightsOf(field).right));
    },
  );

  test.runIf(role !== "admin")("trying every mutation with every kind of key changes nothing", async () => {
    const before = await stateExceptTokens();
    const keys = neighbours.keys.filter(({ table }) => table !== "").slice(0, 6);
    for (const field of fields.filter(({ kind }) => kind === "mutation"))
      await send(role, field.call(keys.map(({ real }) => real)));
    expect(await stateExceptTokens()).toEqual(before);
  });

  test("each route answers as the table says, and none to another tenant's token", async () => {
    const task = neighbours.keys.find(({ table }) => table === "bulk_tasks")?.real ?? "";
    for (const [route, right] of Object.entries(routeRights)) {
      const path = route.replace(":tenant", "owner").replace(":id", task).replace(":width/*", "160/none");
      const method = /^\/@:tenant(?:\/core|\/console-code)?$/.test(route) ? "POST" : "GET";
      const refused = (await statusOf(clients[role], path, method)) === 403;
      expect(refused, route).toBe(!may({ role }, right));
      expect(await statusOf(neighbours.strangers[0], path, method), route).toBe(401);
    }
  });
});

test("an export of personal data is refused to all but admins", async () => {
  for (const role of tokenRoles)
    expect(await statusOf(clients[role], "/@owner/export?kind=customers"), role).toBe(
      role === "admin" ? 200 : 403,
    );
});

async function statusOf(client: TenantClient, path: string, method = "GET"): Promise<number> {
  const headers = { ...tokenHeaders(client), connection: "close" };
  const response = await fetch(`${neighbours.service.url}${path}`, { method, headers });
  await response.body?.cancel();
  return response.status;
}
