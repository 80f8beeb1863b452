import { type Intent, intentNames, parsePayload } from "@lading/schema";
import { executeCommand } from "../../packages/service/src/commands/execute.ts";
import { Rejection } from "../../packages/service/src/errors.ts";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import type { CreatedTenant } from "../../packages/service/src/tenants/create.ts";
import { type Api, headersOf, openApi } from "../../packages/service/test/http/support.ts";
import { beginning } from "../support/parity/beginning.ts";
import { newTenant, ownedBy } from "../support/parity/pair.ts";
import { samplePayloads } from "../support/parity/payloads.ts";
import { type Blocks, blocksOf } from "./blocks.ts";
import { readQueries } from "./list-queries.ts";

/** The costs of a query or a command at one size of a tenant. */
export interface Measured {
  readonly blocks: Blocks;
  /** The length of the answer. */
  readonly length: number;
  readonly milliseconds: number;
}

export interface GrowthBench {
  readonly database: Database;
  readonly owner: CreatedTenant;
  /** By query. */
  readQueries(): Promise<Map<string, Measured>>;
  /** By intent and the number of its payload. */
  executeIntents(): Promise<Map<string, Measured>>;
  close(): Promise<void>;
}

class RolledBack extends Error {}

/** A database whose transactions are rolled back as they end, so that each finds what the others found. */
export const neverCommitting = (database: Database): Database => ({
  ...database,
  transaction: async (work, options) => {
    let result: { value: Awaited<ReturnType<typeof work>> } | undefined;
    try {
      await database.transaction(async (transaction) => {
        result = { value: await work(transaction) };
        throw new RolledBack();
      }, options);
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
    }
    return result!.value;
  },
});

const seed = 20_261_129;

/** Entities that nothing refers to, in addition to `beginning`: what may be deleted. */
const unused = [
  { intent: "piece/create", identifier: "new-1", name: "Unused", components: [] },
  { intent: "customer/create", identifier: "new-1" },
  { intent: "customer/group/create", identifier: "new-1" },
  { intent: "flow/create", identifier: "new-1", name: "Unused", type: "item", stages: [] },
];

const operationsOf = (intent: Intent): object[] => [
  ...(/\/delete$/.test(intent)
    ? unused.some((one) => one.intent === intent.replace("delete", "create"))
      ? [{ identifier: "new-1" }]
      : []
    : []),
  ...samplePayloads(intent, 16, seed).slice(0, 16),
];

interface Outcome {
  readonly name: string;
  readonly isSuccess?: boolean;
}

/** With `isShort` fewer queries are read, and one payload of each intent is executed, not two. */
export async function openGrowthBench(open: () => Promise<Database>, isShort: boolean): Promise<GrowthBench> {
  const api = await openApi({ open, rateLimit: 0 });
  const owner = await newTenant(api);
  for (const { intent, ...payload } of [...beginning, ...unused] as { intent: Intent }[]) {
    const { name, isSuccess } = await executed(api, owner, intent, payload);
    if (!isSuccess) throw new Error(`${intent}: ${name}`);
  }
  const trial = { ...api, database: neverCommitting(api.database) };
  const chosen = new Map<Intent, readonly object[]>();
  return {
    database: api.database,
    owner,
    close: api.close,
    readQueries: async () => {
      const measured = new Map<string, Measured>();
      for (const { name, query } of readQueries(coreSchema(), isShort)) {
        let length = 0;
        const began = performance.now();
        const blocks = await blocksOf(api.database, async () => {
          length = (await ask(api, owner, ownedBy(owner.tenant, query))).length;
        });
        measured.set(name, { blocks, length, milliseconds: performance.now() - began });
      }
      return measured;
    },
    executeIntents: async () => {
      const measured = new Map<string, Measured>();
      for (const intent of intentNames) {
        const tried = chosen.get(intent) ?? operationsOf(intent);
        const kept: object[] = [];
        let successes = 0;
        for (const payload of tried) {
          let outcome: Outcome = { name: "" };
          const began = performance.now();
          const blocks = await blocksOf(api.database, async () => {
            outcome = await executed(trial, owner, intent, payload);
          });
          kept.push(payload);
          measured.set(`${intent} ${JSON.stringify(payload)}: ${outcome.name}`, {
            ...{ blocks, length: 0, milliseconds: performance.now() - began },
          });
          if (outcome.isSuccess && ++successes === (isShort ? 1 : 2)) break;
        }
        if (successes === 0) throw new Error(`no payload of ${intent} succeeded`);
        chosen.set(intent, kept);
      }
      return measured;
    },
  };
}

async function ask(api: Api, { tenant, accessTokenId, accessTokenSecret }: CreatedTenant, query: string) {
  const answer = await api.send({
    method: "POST",
    url: `/@${tenant.identifier}`,
    headers: headersOf({ id: accessTokenId, secret: accessTokenSecret }),
    payload: { query },
  });
  return JSON.stringify(answer.body);
}

async function executed(
  { database, store }: Pick<Api, "database" | "store">,
  { tenant }: CreatedTenant,
  intent: Intent,
  payload: object,
): Promise<Outcome> {
  const parsed = parsePayload(intent, ownedBy(tenant, payload));
  if ("errors" in parsed) throw new Error(`${intent}: ${JSON.stringify(parsed.errors)}`);
  const caller = { tenant, actor: operator };
  const result = await executeCommand({ database, store }, caller, intent, parsed.payload);
  if (result instanceof Rejection) return { name: result.name };
  return { name: result.action, isSuccess: result.partial === undefined };
}
