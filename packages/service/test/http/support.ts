import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import type { FastifyInstance, InjectOptions } from "fastify";
import { pino } from "pino";
import { sharedDatabase } from "../../../../test/support/engines.ts";
import { opened } from "../../../../test/support/opened.ts";
import { type ApiServerOptions, apiServer } from "../../../../test/support/servers/api-server.ts";
import { webhookServices } from "../../../../test/support/servers/webhooks/services.ts";
import { openPseudonyms } from "../../src/domain/dump/anonymise/pseudonyms.ts";
import type { Database } from "../../src/storage/database.ts";
import type { Tenant } from "../../src/storage/tenants/tenant.ts";
import { createTask } from "../../src/tasks/create.ts";
import { createAccessToken } from "../../src/tenants/access-tokens.ts";
import { type CreatedTenant, createTenant } from "../../src/tenants/create.ts";
import { openFileStore } from "../../src/uploads/file-store.ts";
import { newUploadKey } from "../../src/uploads/keys.ts";
import type { ObjectStore } from "../../src/uploads/object-store.ts";
import { presignUpload } from "../../src/uploads/policy.ts";

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer has whatever shape its query asked for
  body: any;
}

/** The HTTP server in this process, by default over the shared database, with one tenant, `shop`. */
export interface Api {
  server: FastifyInstance;
  database: Database;
  store: ObjectStore;
  shop: CreatedTenant;
  /** The log lines of the service, parsed. */
  logged: Record<string, unknown>[];
  another(options: Partial<ApiServerOptions>): FastifyInstance;
  send(request: InjectOptions): Promise<Answer>;
  /** A query as the shop's administrator. */
  ask(query: string, variables?: Record<string, unknown>): Promise<Answer>;
  /** The data of a query that must be answered with 200 and no errors. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  data(query: string, variables?: Record<string, unknown>): Promise<any>;
  /** As `data`; the first field alone. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  field(query: string, variables?: Record<string, unknown>): Promise<any>;
  /** Puts a file where an upload would have; its key. */
  uploaded(content?: string | Buffer, tenantId?: string): Promise<string>;
  /** A pending task of such a file. */
  task(content?: string | Buffer, tenant?: Tenant): Promise<{ id: string; key: string }>;
  tokenHeaders(role: "admin" | "reader"): Promise<Record<string, string>>;
  close(): Promise<void>;
}

export const operatorToken = "operator-token-of-the-tests";

export const headersOf = (token: { id: string; secret: string }, word = "Service") => ({
  [`X-${word}-Access-Token-Id`]: token.id,
  [`X-${word}-Access-Token-Secret`]: token.secret,
});

export async function openApi(
  options: Partial<ApiServerOptions> & { open?: () => Promise<Database> } = {},
): Promise<Api> {
  const { open = sharedDatabase, ...settings } = options;
  const folder = await mkdtemp(join(tmpdir(), "lading-api-"));
  const database = settings.database ?? (await open());
  const store = await openFileStore(folder);
  const logged: Record<string, unknown>[] = [];
  const another: Api["another"] = (others) => apiServer({ ...common, ...others });
  const common: ApiServerOptions = {
    database,
    store,
    pseudonymsOf: openPseudonyms("signing-key-of-the-tests"),
    imageUrl: (key) => `https://shop.example/images/${key}`,
    presign: async (upload) =>
      presignUpload({
        ...upload,
        publicUrl: "https://shop.example",
        bucket: "uploads",
        credential: { id: "tests", secret: "a secret of the tests" },
        now: new Date(),
      }),
    logger: collectingLogger(logged),
    webhooks: webhookServices(),
    operatorToken,
    ...settings,
  };
  const server = another({});
  const shop = await createTenant(database, { identifier: "shop", name: "The shop" });
  const admin = headersOf({ id: shop.accessTokenId, secret: shop.accessTokenSecret });
  const send: Api["send"] = async (request) => {
    const response = await server.inject(request);
    return { status: response.statusCode, body: response.json() };
  };
  const ask: Api["ask"] = (query, variables) =>
    send({ method: "POST", url: "/@shop", headers: admin, payload: { query, variables } });
  const uploaded: Api["uploaded"] = async (content = "{}", tenantId = shop.tenant.id) => {
    const key = newUploadKey(tenantId, "operations.json", "MASS_OPERATIONS");
    await store.put(key, Readable.from([Buffer.from(content)]), { maxBytes: 10_000_000 });
    return key;
  };
  return {
    uploaded,
    task: async (content, tenant = shop.tenant) => {
      const key = await uploaded(content, tenant.id);
      return { key, id: (await createTask(common, tenant, { key })).id };
    },
    server,
    database,
    store,
    shop,
    logged,
    another,
    send,
    ask,
    data: async (query, variables) => succeeded(await ask(query, variables)),
    field: async (query, variables) => Object.values(succeeded(await ask(query, variables)))[0],
    tokenHeaders: async (role) =>
      headersOf(await createAccessToken(database, shop.tenant.id, { name: role, role })),
    close: async () => {
      await server.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens an API before the tests of a file or a `describe`, and closes it after them. */
export const useApi = (options?: Parameters<typeof openApi>[0]): Api => opened(() => openApi(options));

function succeeded({ status, body }: Answer) {
  if (status !== 200 || "errors" in body) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data;
}

function collectingLogger(logged: Record<string, unknown>[]) {
  const stream = new PassThrough();
  stream.on("data", (line: Buffer) => logged.push(JSON.parse(line.toString())));
  return pino({ level: "error" }, stream);
}
