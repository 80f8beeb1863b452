import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { type Callable, type Leaf, withCondition, withStreams } from "../support/generated/calls.ts";
import { tokenHeaders } from "../support/service.ts";
import { addressOf, tenantRoutes } from "./routes.ts";
import { stateOf, textsIn } from "./state.ts";
import { type Neighbours, openNeighbours } from "./tenants.ts";
import {
  type Answer,
  comparable,
  firstDifference,
  isCursor,
  secretsIn,
  type Trial,
  trials,
} from "./trials.ts";

const fields = withStreams(coreSchema());

let neighbours: Neighbours;
let secrets: Set<string>;

beforeAll(async () => {
  neighbours = await openNeighbours();
  const { database, state, keys, strangers } = neighbours;
  secrets = secretsIn(state, keys, await stateOf(database, strangers[0].access.tenant.id));
}, 120_000);
afterAll(() => neighbours.close());

/** The stranger's own value of an argument, by name, if a field needs it in addition to the tried key. */
const ownOf = (field: Callable) => (name: string) =>
  name === "shapeIdentifier" ? /Folder|Document|Product/.exec(field.name)?.[0]?.toLowerCase() : undefined;

function expectNothingOfTheOwners({ status, text }: Answer, leaf?: Leaf): void {
  expect(status, text).toBeLessThan(500);
  expect(/.{200}"InternalError".*/.exec(text)?.[0], `at ${leaf}`).toBeUndefined();
  const leaked = textsIn(JSON.parse(text)).filter((one) => secrets.has(one));
  expect(leaked, `at ${leaf}`).toEqual([]);
}

async function expectOwnerUntouched(): Promise<void> {
  const { database, owner, state } = neighbours;
  expect(await stateOf(database, owner.access.tenant.id)).toEqual(state);
}

/** Queries the owner's keys as one stranger, and unused keys as the other. */
async function askBoth(field: Callable, leaf: Leaf | undefined, real: string[], twins: string[]) {
  const { send, strangers } = neighbours;
  return Promise.all([
    send("stranger-a", strangers[0], field.call(real, leaf, ownOf(field))),
    send("stranger-b", strangers[1], field.call(twins, leaf, ownOf(field))),
  ]);
}

/** Expects the same answer to the owner's keys as to unused ones. */
async function expectUnknown(field: Callable, { leaf, keys }: Trial): Promise<void> {
  const [real, twins] = [keys.map(({ real }) => real), keys.map(({ twin }) => twin)];
  const [notYours, notThere] = await askBoth(field, leaf, real, twins);
  expectNothingOfTheOwners(notYours, leaf);
  const difference = firstDifference(comparable(notYours, real), comparable(notThere, twins));
  expect(difference, `at ${leaf}`).toBeUndefined();
}

test("another tenant's cursor is a position in one's own list", async () => {
  const { send, strangers, keys } = neighbours;
  const cursors = keys.filter(({ table }) => table === "").map(({ real }) => real);
  const lists = fields.filter(({ leaves }) => leaves.some(isCursor));
  expect(Math.min(cursors.length, lists.length)).toBeGreaterThan(5);
  for (const list of lists)
    expectNothingOfTheOwners(
      await send(
        "stranger-a",
        strangers[0],
        list.call(cursors, ["after"], () => ""),
      ),
    );
});

describe.each(["query", "mutation", "subscription"] as const)(
  "with the keys of another tenant, a %s",
  (kind) => {
    const all = fields.filter((field) => field.kind === kind);

    test.each(all.map((field) => [field.name, field] as const))(
      "%s, given another tenant's keys, answers as if they did not exist, and with nothing of that tenant",
      async (_name, field) => {
        for (const trial of field.isConditional ? trials(field, neighbours.keys).take(1) : [])
          await expectUnknown(withCondition(field, "2100-01-01T00:00:00Z"), trial);
        for (const trial of trials(field, neighbours.keys)) await expectUnknown(field, trial);
      },
    );

    test("calls with another tenant's keys change nothing of that tenant", expectOwnerUntouched);
  },
);

test("streams of another tenant's task look like those of an unknown task", async () => {
  const { service, strangers, keys } = neighbours;
  const task = keys.find(({ table }) => table === "bulk_tasks");
  const read = async (route: string, id: string) => {
    const { path } = addressOf(route, { tenant: "stranger-a", task: id });
    const headers = { ...tokenHeaders(strangers[0]), connection: "close" };
    const response = await fetch(service.url + path, { headers });
    return comparable({ status: response.status, text: await response.text() }, [id]);
  };
  for (const { route } of tenantRoutes.filter(({ route }) => route.includes("/tasks/"))) {
    const answer = await read(route, task?.real as string);
    expect(answer, route).toMatch(/^404 /);
    expect(answer).toBe(await read(route, task?.twin as string));
  }
});

test("the same calls by the owner succeed, as the control", {
  tags: "release",
}, async () => {
  const { send, owner } = neighbours;
  const asking = fields.filter(({ leaves }) => leaves.some((leaf) => !isCursor(leaf)));
  const isDeletion = ({ name }: Callable) => /^(?:delete|remove)/.test(name);
  const unreached = new Set(asking.map(({ name }) => name));
  for (const field of asking.sort((one, other) => Number(isDeletion(one)) - Number(isDeletion(other))))
    for (const { leaf, keys } of trials(field, neighbours.keys)) {
      const [real, twins] = [keys.map(({ real }) => real), keys.map(({ twin }) => twin)];
      const found = comparable(await send("owner", owner, field.call(real, leaf)), real);
      const missed = comparable(await send("owner", owner, field.call(twins, leaf)), twins);
      if (found !== missed) unreached.delete(field.name);
      if (found !== missed) break;
    }
  expect([...unreached].length, `${[...unreached]}`).toBeLessThan(asking.length / 3);
});
