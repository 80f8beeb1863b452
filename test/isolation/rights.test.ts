import { readFileSync } from "node:fs";
import { exportKinds, type TokenRole, tokenRoles } from "@lading/schema/internal";
import type { OperationTypeNode } from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import type { FieldRights } from "../../packages/service/src/graphql/field-rights.ts";
import { exportRights } from "../../packages/service/src/http/files/export-route.ts";
import { may, rights } from "../../packages/service/src/tenants/rights.ts";
import { clientWithRole, type TenantClient } from "../support/client.ts";
import { type Callable, callables, withStreams } from "../support/generated/calls.ts";
import { startFile, tokenHeaders } from "../support/service.ts";
import { tenantRoutes } from "./routes.ts";
import { stateOf } from "./state.ts";
import { type Neighbours, openNeighbours } from "./tenants.ts";

const schema = coreSchema();
const fields = withStreams(schema);
const quickstart = readFileSync("examples/quickstart.json", "utf8");

/** The rights of a root field, according to the table. */
const rightsOf = ({ kind, name }: Callable) =>
  schema.getRootType(kind as OperationTypeNode)?.getFields()[name]?.extensions.rights as FieldRights<unknown>;

const excepted = fields.filter((field) => rightsOf(field).exception !== undefined);

let neighbours: Neighbours;
let clients: Record<TokenRole, TenantClient>;

beforeAll(async () => {
  neighbours = await openNeighbours();
  const { owner, service } = neighbours;
  const of = (role: "reader" | "planner") => clientWithRole(service, owner, role);
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
  const others = tenantRoutes.filter(({ right }) => right !== "read");
  expect(others).toEqual([
    { route: "GET /@:tenant/tasks/:id/failures.json", right: "readFailures" },
    { route: "GET /@:tenant/dump.json", right: "dump" },
  ]);
});

test("every root field names a right, and only these need another than reading or writing", () => {
  const others = fields
    .filter((field) => rightsOf(field).right !== (field.kind === "mutation" ? "write" : "read"))
    .map((field) => [field.name, rightsOf(field).right]);
  expect(Object.fromEntries(others)).toEqual({
    accessTokens: "readTokens",
    storedPictures: "readPictures",
    webhook: "readWebhook",
    webhookDeliveries: "readWebhook",
  });
});

test("a planner may call only these mutations, for some arguments", () => {
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
});

test("another tenant's token is answered by no query, mutation or subscription", async () => {
  const before = await stateExceptTokens();
  for (const field of fields) {
    const call = field.call(neighbours.keys.map(({ real }) => real).slice(0, 1));
    const { status, text } = await neighbours.send("owner", neighbours.strangers[0], call);
    expect([status, JSON.parse(text).data], field.name).toEqual([401, undefined]);
  }
  expect(await stateExceptTokens()).toEqual(before);
});

test.each(excepted.map((field) => [field.name, field] as const))(
  "%s is answered to a planner for some requests, and to no reader",
  async (_name, field) => {
    const { argument } = rightsOf(field).exception ?? {};
    const id = await startFile(clients.planner, quickstart, { kind: "plan", autoStart: false });
    const calls = argument === undefined ? [field.call([id])] : callsWith(field, argument);
    expect(calls).not.toEqual([]);
    for (const call of calls) {
      const answers = { planner: await send("planner", call), reader: await send("reader", call) };
      expect(isRefused(answers.planner.text), answers.planner.text).toBe(false);
      expect(isRefused(answers.reader.text), answers.reader.text).toBe(true);
    }
    const cancel = excepted.find(({ name }) => name === "cancelMassOperationBulkTask");
    await send("admin", cancel!.call([id]));
  },
);

/** Calls with a value of an argument, at each place that it has. */
function callsWith({ name }: Callable, [argument, value]: readonly [string, string]): object[] {
  const field = callables(schema, (_type, each) => each === argument).find((each) => each.name === name);
  return (field?.leaves ?? []).map((leaf) => field?.call([value], leaf) ?? {});
}

test.each(exportKinds)("an export of %s is answered to each role as the table says", async (kind) => {
  const [document] = await neighbours.database.query<{ identifier: string }>(
    "SELECT identifier FROM shapes WHERE tenant_id = $1 AND type = 'document'",
    [neighbours.owner.access.tenant.id],
  );
  const query = { kind, ...(kind === "content" && { shape: document!.identifier }) };
  for (const format of ["csv", "ndjson", "map", "columns"])
    for (const role of tokenRoles) {
      const hasNone = kind === "orders" && format === "map";
      const answered = hasNone ? 400 : 200;
      const expected = may({ role }, exportRights[kind]) ? answered : 403;
      expect(await statusOfExport(role, { ...query, format }), `${role} ${format}`).toBe(expected);
    }
});

test("these exports have personal data", () => {
  const personal = exportKinds.filter((kind) => exportRights[kind] === "readPersonalData");
  expect(personal).toEqual(["customers", "orders", "price-lists"]);
});

async function statusOfExport(role: TokenRole, query: Record<string, string>): Promise<number> {
  const headers = { ...tokenHeaders(clients[role]), connection: "close" };
  const response = await fetch(`${neighbours.service.url}/@owner/export?${new URLSearchParams(query)}`, {
    headers,
  });
  await response.text();
  return response.status;
}
