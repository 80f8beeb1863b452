import type { Intent } from "@lading/schema";
import type { FastifyInstance } from "fastify";
import { GraphQLError, type GraphQLSchema } from "graphql";
import { openPseudonyms } from "../../../packages/service/src/domain/dump/anonymise/pseudonyms.ts";
import { coreSchema } from "../../../packages/service/src/graphql/core-schema.ts";
import type { Database } from "../../../packages/service/src/storage/database.ts";
import { newId } from "../../../packages/service/src/storage/ids.ts";
import type { Tenant } from "../../../packages/service/src/storage/tenants/tenant.ts";
import type { OperationLog } from "../../../packages/service/src/tasks/logs.ts";
import { type CreatedTenant, createTenant } from "../../../packages/service/src/tenants/create.ts";
import { storeSettings } from "../../../packages/service/test/support/settings.ts";
import { openRunnerBench, type RunnerBench, silent } from "../runner.ts";
import { apiServer } from "../servers/api-server.ts";
import { webhookServices } from "../servers/webhooks/services.ts";
import { beginning, settings } from "./beginning.ts";
import { type MutationCall, mutationCall } from "./call.ts";
import type { Answer } from "./outcome.ts";
import { own } from "./words.ts";

/** Two equal tenants: of one the mutations are called, for the other the runner executes files. */
export interface Pair {
  called: Tenant;
  run: Tenant;
  /** Calls the mutation of an intent for the first tenant. */
  call(intent: Intent, payload: object): Promise<Answer>;
  /** Executes operations for the second tenant, as one task; answers its log. */
  execute(operations: readonly object[]): Promise<OperationLog[]>;
}

/** A service without a socket, on one database, and a runner. */
export interface ParityBench {
  database: Database;
  newPair(): Promise<Pair>;
  /** Ids and keys that only this tenant has, with the names that replace them in comparisons. */
  ownOf(tenant: Tenant): Map<string, string>;
  close(): Promise<void>;
}

const image = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const imageKey = (tenant: Tenant) => `${tenant.id}/media/${"0f".repeat(16)}/pixel.png`;

export async function openParityBench(open: () => Promise<Database>): Promise<ParityBench> {
  const bench = await openRunnerBench(open);
  const { database, store } = bench;
  const presign = () => Promise.reject(new Error("no operation presigns"));
  const operatorToken = "operator-token-of-the-tests";
  const server = apiServer({
    database,
    store,
    presign,
    webhooks: webhookServices(),
    pseudonymsOf: openPseudonyms("signing-key-of-the-tests"),
    imageUrl: (key) => `https://shop.example/images/${key}`,
    logger: silent,
    operatorToken,
  });
  await bench.runner();
  const schema = coreSchema();
  return {
    database,
    newPair: () => newPair(bench, server, schema),
    ownOf: (tenant) => new Map(Object.entries(ownValues(tenant)).map(([name, actual]) => [actual, name])),
    close: async () => {
      await server.close();
      await bench.close();
    },
  };
}

/** By the names of `own`, and the tenant's id and identifier; the key of the image before the id that is in it. */
const ownValues = (tenant: Tenant): Record<string, string> => ({
  [own.image]: imageKey(tenant),
  [own.root]: tenant.rootItemId,
  [own.vatType]: tenant.settings.vatTypes[0]!.id,
  "@tenant": tenant.id,
  "@identifier": tenant.identifier,
});

/** A value in which the names of `own` stand for what the tenant has. */
export function ownedBy<Value>(tenant: Tenant, value: Value): Value {
  let text = JSON.stringify(value);
  for (const [name, actual] of Object.entries(ownValues(tenant))) text = text.replaceAll(name, actual);
  return JSON.parse(text) as Value;
}

async function newPair(bench: RunnerBench, server: FastifyInstance, schema: GraphQLSchema): Promise<Pair> {
  const [called, run] = [await newTenant(bench), await newTenant(bench)];
  const headers = {
    "x-service-access-token-id": called.accessTokenId,
    "x-service-access-token-secret": called.accessTokenSecret,
  };
  const ask = async (payload: MutationCall): Promise<Answer> => {
    const response = await server.inject({
      method: "POST",
      url: `/@${called.tenant.identifier}`,
      headers,
      payload,
    });
    const { data, errors } = response.json<{ data?: { it: Answer }; errors?: { message: string }[] }>();
    if (data?.it === undefined || errors !== undefined)
      throw new GraphQLError(
        `${JSON.stringify(errors)} to ${payload.query} ${JSON.stringify(payload.variables)}`,
      );
    return data.it;
  };
  const execute = async (tenant: Tenant, operations: readonly object[]) => {
    const id = await bench.start(ownedBy(tenant, operations), { tenant });
    const { info } = await bench.ended(id, tenant);
    const log = await bench.log(id, tenant);
    if (log.length !== operations.length)
      throw new Error(`${log.length} of ${operations.length}: ${JSON.stringify(info)}`);
    return log;
  };
  for (const { tenant } of [called, run]) {
    const failed = (await execute(tenant, beginning)).filter(({ status }) => status !== "success");
    if (failed.length > 0) throw new Error(`the beginning failed: ${JSON.stringify(failed)}`);
  }
  return {
    called: called.tenant,
    run: run.tenant,
    call: (intent, payload) => ask(mutationCall(schema, intent, ownedBy(called.tenant, payload))),
    execute: (operations) => execute(run.tenant, operations),
  };
}

async function* asStream(bytes: Uint8Array) {
  yield bytes;
}

/** A tenant with the settings and the image that the words of `words.ts` need. */
export async function newTenant({
  database,
  store,
}: Pick<RunnerBench, "database" | "store">): Promise<CreatedTenant> {
  const created = await createTenant(database, { identifier: `t-${newId()}` });
  const { tenant } = created;
  Object.assign(tenant.settings, settings);
  await storeSettings({ database, tenant }, settings);
  await store.put(imageKey(tenant), asStream(image), { maxBytes: 1e6 });
  return created;
}
