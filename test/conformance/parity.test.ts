import { type Intent, intentNames, objectionToCondition } from "@lading/schema/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ErrorName, errorNames } from "../../packages/service/src/errors.ts";
import { engines } from "../support/engines.ts";
import { inRelease } from "../support/extent.ts";
import { inBoth, type Outcome, outcomeOfAnswer, outcomeOfLog } from "../support/parity/outcome.ts";
import { openParityBench, type Pair, type ParityBench } from "../support/parity/pair.ts";
import { samplePayloads } from "../support/parity/payloads.ts";
import { spoiled } from "../support/parity/spoiled.ts";
import { comparable, rowsOf } from "../support/parity/state.ts";
import { ids, own } from "../support/parity/words.ts";

/** Each seed is its own suite and reproduces what it finds. */
const seed = Number(process.env.PARITY_SEED ?? 20_260_131);
/** Payloads of each intent that its schema accepts, and half as many with a wrong word or value. */
const samples = inRelease ? 7 : 4;
/** Maximum number of samples drawn per intent until an operation succeeds. */
const rounds = 6;

describe.each(engines)("on $name", ({ open }) => {
  let bench: ParityBench;
  let pair: Pair | undefined;
  let since: Date;
  beforeAll(async () => {
    since = new Date();
    bench = await openParityBench(open);
  }, 120_000);
  afterAll(() => bench?.close());

  test.each<[ErrorName, Intent, Record<string, unknown>]>([
    ["ItemHasChildrenError", "item/delete", { itemId: ids.folders[0] }],
    ["TopicHasChildrenError", "topic/delete", { topicId: ids.topics[0] }],
    ["ConflictError", "folder/update", { itemId: own.root, language: "en", name: "Root" }],
  ])("%s of %s has the same list of errors in both", async (errorName, intent, payload) => {
    pair ??= await bench.newPair();
    const done: Outcomes = { byCall: [], byRun: [] };
    await executeBoth(pair, intent, [{ payload, operation: payload }], done);
    expect(done.byRun).toMatchObject([{ errorName, errors: [{ message: done.byRun[0]?.message }] }]);
    // Each tenant has a root folder of its own.
    const [byCall, byRun] = [done.byCall, done.byRun].map((outcomes) =>
      JSON.stringify(outcomes[0]?.errors).replaceAll(/[0-9a-f]{24}/g, "id"),
    );
    expect(byCall).toBe(byRun);
  });

  test.each(intentNames)("%s does the same as a mutation and as an operation of a file", async (intent) => {
    const tenants = pair ?? (await bench.newPair());
    pair = undefined;
    const done: Outcomes = { byCall: [], byRun: [] };
    for (let round = 0; round < rounds && !succeeded(done.byRun); round++)
      await executeBoth(tenants, intent, operationsOf(intent, round), done);
    const after = async (tenant: Pair["run"], results: unknown) =>
      comparable({ rows: await rowsOf(bench.database, tenant.id), results }, bench.ownOf(tenant), since);
    const byCall = await after(tenants.called, done.byCall);
    const byRun = await after(tenants.run, done.byRun);
    expect(byCall.results).toEqual(byRun.results);
    expect(byCall.rows).toEqual(byRun.rows);
    expect(succeeded(done.byRun)).toBe(true);
    expect(done.byRun.some(({ status }) => status === "failure")).toBe(true);
    for (const { errors } of done.byRun)
      for (const { code } of errors) expect(Object.keys(errorNames)).not.toContain(code);
    // Tenants that differ prove nothing about the next intent, and little without what was deleted or renamed.
    if (!/\/(delete|rename)$/.test(intent)) pair = tenants;
  });
});

interface Outcomes {
  byCall: (Outcome & object)[];
  byRun: (Outcome & object)[];
}

const succeeded = (outcomes: readonly Outcome[]) => outcomes.some(({ status }) => status === "success");

async function executeBoth(
  { call, execute }: Pair,
  intent: Intent,
  operations: readonly Executed[],
  { byCall, byRun }: Outcomes,
): Promise<void> {
  const log = await execute(operations.map(({ operation }) => ({ intent, ...operation })));
  for (const [i, { payload }] of operations.entries()) {
    const answer = await call(intent, payload);
    const entry = log[i]!;
    const says = inBoth(answer, entry.output as object | null);
    byCall.push(Object.assign(outcomeOfAnswer(answer), { payload, says: says.answer }));
    byRun.push(Object.assign(outcomeOfLog(entry), { payload, says: says.output }));
  }
}

interface Executed {
  payload: Record<string, unknown>;
  operation: Record<string, unknown>;
}

/** Payloads with a condition that few and nearly all stored entities meet. They come first: own writes don't count. */
const conditional = (intent: Intent, round: number) =>
  objectionToCondition(intent) === undefined
    ? ["2020-01-01T00:00:00Z", "2100-01-01T00:00:00+01:00"].flatMap((time, i) =>
        samplePayloads(intent, 1, seed - 1 - round - i)
          .slice(0, 1)
          .map((payload) => ({ ...payload, _ifUnchangedSince: time })),
      )
    : [];

const sampled = new Map<string, Executed[]>();

/** The operations to execute, the same on every engine, as mutations and as lines of a file. */
function operationsOf(intent: Intent, round: number): Executed[] {
  const name = `${intent} ${round}`;
  const known = sampled.get(name);
  if (known !== undefined) return known;
  const payloads = samplePayloads(intent, samples, seed + round);
  const made = [
    ...conditional(intent, round).map((payload) => ({ payload, operation: payload })),
    ...payloads.map((payload) => ({ payload, operation: payload })),
    ...spoiled(intent, payloads, 2),
  ];
  sampled.set(name, made);
  return made;
}
