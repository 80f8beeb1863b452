import { type Intent, intentNames, keysOf, parsePayload } from "@lading/schema/internal";
import { executeCommand, executeHandler } from "../../packages/service/src/commands/execute.ts";
import type { CommandResult } from "../../packages/service/src/domain/command.ts";
import { settingCommands } from "../../packages/service/src/domain/settings/commands.ts";
import { Rejection } from "../../packages/service/src/errors.ts";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import type { CreatedTenant } from "../../packages/service/src/tenants/create.ts";
import { type Api, headersOf, openApi } from "../../packages/service/test/http/support.ts";
import { beginning } from "../support/parity/beginning.ts";
import { newTenant, ownedBy } from "../support/parity/pair.ts";
import { samplePayloads } from "../support/parity/payloads.ts";
import { type Blocks, countBlocks } from "./blocks.ts";
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
  /** Reads every query, and executes every intent and every deletion of a setting; the costs of each, by its name. */
  measure(): Promise<Map<string, Measured>>;
  close(): Promise<void>;
}

/** Entities and settings that nothing refers to, in addition to `beginning`: those that are deleted. */
const unused: readonly { intent: Intent; identifier: string }[] = [
  { intent: "piece/create", identifier: "new-1", ...{ name: "Unused", components: [] } },
  { intent: "customer/create", identifier: "new-1" },
  { intent: "customer/group/create", identifier: "new-1" },
  { intent: "flow/create", identifier: "new-1", ...{ name: "Unused", type: "item", stages: [] } },
];
const unusedSettings: { readonly [Name in keyof typeof settingCommands]: { key: string; fields: object } } = {
  language: { key: "da", fields: { name: "Unused" } },
  vatType: { key: "9".repeat(24), fields: { name: "Unused", percent: 1 } },
  priceVariant: { key: "unused", fields: { name: "Unused", currency: "EUR" } },
  stockLocation: { key: "unused", fields: { name: "Unused" } },
  market: { key: "unused", fields: { name: "Unused" } },
  subscriptionPlan: {
    key: "unused",
    fields: { name: "Unused", periods: [{ name: "Month", recurring: { period: 1, unit: "month" } }] },
  },
  pipeline: { key: "9".repeat(24), fields: { name: "Unused", stages: [{ name: "Unused" }] } },
};

/** With `isShort` fewer queries are read, and one payload of each intent is executed, not two. */
export async function openGrowthBench(open: () => Promise<Database>, isShort: boolean): Promise<GrowthBench> {
  const api = await openApi({ open, rateLimit: 0 });
  const owner = await newTenant(api);
  await begin(api, owner);
  const trial = { ...api, database: neverCommitting(api.database) };
  const count = countBlocks(api.database);
  const chosen = new Map<Intent, readonly object[]>();
  const timed = async (work: () => Promise<string>) => {
    await count();
    const began = performance.now();
    const answer = await work();
    const milliseconds = performance.now() - began;
    return { answer, cost: { blocks: await count(), length: 0, milliseconds } };
  };
  const measureQueries = async (costs: Map<string, Measured>) => {
    for (const { name, query } of readQueries(coreSchema(), isShort)) {
      const { answer, cost } = await timed(() => ask(api, owner, ownedBy(owner.tenant, query)));
      costs.set(name, { ...cost, length: answer.length });
    }
  };
  const measureIntent = async (intent: Intent, costs: Map<string, Measured>) => {
    const kept: object[] = [];
    let left = isShort ? 1 : 2;
    for (const payload of chosen.get(intent) ?? payloadsOf(intent)) {
      const { answer, cost } = await timed(async () =>
        outcomeOf(await execute(trial, owner, intent, payload)),
      );
      costs.set(`${intent} ${JSON.stringify(payload)}: ${answer}`, cost);
      const hasSucceeded = !answer.endsWith("Error");
      if (hasSucceeded || !isShort) kept.push(payload);
      if (hasSucceeded && --left === 0) break;
    }
    if (kept.length === 0) throw new Error(`no payload of ${intent} succeeds`);
    chosen.set(intent, kept);
  };
  return {
    ...{ database: api.database, owner, close: api.close },
    measure: async () => {
      const costs = new Map<string, Measured>();
      await measureQueries(costs);
      for (const intent of intentNames) await measureIntent(intent, costs);
      for (const kind of keysOf(settingCommands)) {
        const { remove } = settingCommands[kind];
        const { answer, cost } = await timed(async () =>
          outcomeOf(await executeHandler(trial, callerOf(owner), remove, unusedSettings[kind])),
        );
        costs.set(`setting ${kind}/delete: ${answer}`, cost);
      }
      return costs;
    },
  };
}

async function begin(api: Api, owner: CreatedTenant): Promise<void> {
  const expectSuccess = (result: CommandResult | Rejection) => {
    if (result instanceof Rejection) throw result;
  };
  for (const { intent, ...payload } of [...beginning, ...unused] as { intent: Intent }[])
    expectSuccess(await execute(api, owner, intent, payload));
  for (const kind of keysOf(settingCommands))
    expectSuccess(
      await executeHandler(api, callerOf(owner), settingCommands[kind].create, unusedSettings[kind]),
    );
}

const seed = 20_261_129;
/** Payloads of an intent are generated in rounds, which cost more than their execution. */
const [samples, rounds] = [4, 6];

/** The payloads to try: of a deletion first that of what nothing refers to. */
function* payloadsOf(intent: Intent): Generator<object> {
  const made = unused.find((one) => one.intent === intent.replace(/\/delete$/, "/create"));
  if (made && intent.endsWith("/delete")) yield { identifier: made.identifier };
  for (let round = 0; round < rounds; round++)
    yield* samplePayloads(intent, samples, seed + round).slice(0, samples);
}

class RolledBack extends Error {}

/** A database whose transactions are rolled back as they end, so that each finds what the others found. */
const neverCommitting = (database: Database): Database => ({
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

async function ask(api: Api, { tenant, accessTokenId, accessTokenSecret }: CreatedTenant, query: string) {
  const answer = await api.send({
    method: "POST",
    url: `/@${tenant.identifier}`,
    headers: headersOf({ id: accessTokenId, secret: accessTokenSecret }),
    payload: { query },
  });
  return JSON.stringify(answer.body);
}

const callerOf = ({ tenant }: CreatedTenant) => ({ tenant, actor: operator });

function execute(
  { database, store }: Pick<Api, "database" | "store">,
  owner: CreatedTenant,
  intent: Intent,
  payload: object,
): Promise<CommandResult | Rejection> {
  const parsed = parsePayload(intent, ownedBy(owner.tenant, payload));
  if ("errors" in parsed) throw new Error(`${intent}: ${JSON.stringify(parsed.errors)}`);
  return executeCommand({ database, store }, callerOf(owner), intent, parsed.payload);
}

const outcomeOf = (result: CommandResult | Rejection): string =>
  result instanceof Rejection ? result.name : (result.partial?.name ?? result.action);
