import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { initialSettings } from "../../packages/service/src/storage/tenants/settings.ts";
import type { TenantClient } from "../support/client.ts";
import { callables } from "../support/generated/calls.ts";
import { openService, runFile, type TestService } from "../support/service.ts";
import { keysIn, stateOf, type TenantState, twinOf } from "./state.ts";

/** Three tenants of one service: one that has everything, and two that have nothing. */
export interface Neighbours {
  service: TestService;
  database: Database;
  owner: TenantClient;
  strangers: readonly [TenantClient, TenantClient];
  /** The owner's data before the first attempt to reach it. */
  state: TenantState;
  keys: readonly TriedKey[];
  /**
   * Sends a call to the API of a tenant, with the token of one; answers the status and the text of the answer, of a
   * stream its first event.
   */
  send(to: string, by: TenantClient, call: object): Promise<{ status: number; text: string }>;
  close(): Promise<void>;
}

export interface TriedKey {
  real: string;
  /** Alike in form, and of nothing. */
  twin: string;
  /** The table that it is of; none for a cursor. */
  table: string;
  /** The names of arguments that take its like. */
  form: RegExp;
}

const examples = ["examples/quickstart.json", "examples/every-intent.json"];

/** The strangers' own data: a shape of each type, by the name of the type. */
const ownShapes = {
  version: "1.0.0",
  operations: ["folder", "document", "product"].map((type) => ({
    ...{ intent: "shape/create", identifier: type, name: `Own ${type}`, type },
    components: [{ id: "line", name: "Line", type: "singleLine" }],
  })),
};

/** Opens a service in which a tenant has run the examples, which have every intent. */
export async function openNeighbours(): Promise<Neighbours> {
  const service = await openService("postgresql", { rateLimit: 0, wrongCredentialsLimit: 0 });
  const database = openPostgres(service.databaseUrl as string);
  const agent = new Agent({ keepAlive: true });
  const send: Neighbours["send"] = (to, by, call) => post(agent, `${service.url}/@${to}`, by, call);
  const owner = await service.tenant("owner");
  const strangers = [await service.tenant("stranger-a"), await service.tenant("stranger-b")] as const;
  for (const stranger of strangers) await runFile(stranger, ownShapes);
  await createByMutations(send, owner);
  for (const path of examples) await runFile(owner, readFileSync(path, "utf8"));
  const cursors = await cursorsOf(send, owner);
  const state = await stateOf(database, owner.access.tenant.id);
  // Each tenant has a VAT type with this id.
  const everybodys = new Set(initialSettings().vatTypes.map(({ id }) => id));
  const keys = [
    ...keysIn(state)
      .filter(({ real }) => !everybodys.has(real))
      .map((key) => ({ ...key, twin: twinOf(key.real), form: formOf(key.real) })),
    ...cursors.map((real) => ({ real, twin: twinOf(real), table: "", form: /^(?:after|cursor)$/ })),
  ];
  return {
    ...{ service, database, owner, strangers, state, keys, send },
    close: async () => {
      agent.destroy();
      await database.close();
      await service.close();
    },
  };
}

/** Settings and whatever else a mutation makes of one new identifier; what needs more is refused. */
async function createByMutations(send: Neighbours["send"], owner: TenantClient): Promise<void> {
  const creating = callables(coreSchema()).filter(({ name }) => name.startsWith("create"));
  for (const mutation of creating) await send("owner", owner, mutation.call(["made-by-owner"]));
}

/** Ids go where ids go, and every other key where identifiers, SKUs and references go. */
const formOf = (key: string) =>
  /^[0-9a-f]{24}$/.test(key) ? /ids?$/i : /(?:identifiers?|skus?|keys?|references?)$/i;

async function cursorsOf(send: Neighbours["send"], owner: TenantClient): Promise<string[]> {
  const lists = callables(coreSchema()).filter(({ kind }) => kind === "query");
  const answers = await Promise.all(
    lists.map((list) =>
      send(
        "owner",
        owner,
        list.call([""], ["after"], () => ""),
      ),
    ),
  );
  return answers.flatMap(({ text }) =>
    [...text.matchAll(/"endCursor":"([^"]+)"/g)].slice(0, 1).map(([, cursor]) => cursor as string),
  );
}

function post(agent: Agent, url: string, by: TenantClient, body: object) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "x-service-access-token-id": by.access.accessTokenId,
      "x-service-access-token-secret": by.access.accessTokenSecret,
    };
    const sent = request(url, { agent, method: "POST", headers }, (response) => {
      const answer = isStream(response) ? firstEvent(response) : text(response);
      answer.then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
    });
    sent.on("error", reject).end(JSON.stringify(body));
  });
}

const isStream = ({ headers }: IncomingMessage) => headers["content-type"]?.startsWith("text/event-stream");

/** Reads the data of the first event of a stream, and leaves it. */
async function firstEvent(response: IncomingMessage): Promise<string> {
  let read = "";
  for await (const chunk of response.setEncoding("utf8")) {
    read += chunk;
    const [, data] = /^data: (.*)\n\n/m.exec(read) ?? [];
    if (data !== undefined) return data;
  }
  throw new Error(`the stream ended before its first event: ${read}`);
}
