import type { Intent, Payload } from "@lading/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestPostgres } from "../../../../test/support/engines.ts";
import { overlapping, type Writer } from "../../../../test/support/overlapping.ts";
import { executeCommand } from "../../src/commands/execute.ts";
import { Rejection } from "../../src/errors.ts";
import type { Database } from "../../src/storage/database.ts";
import { openShop, type Shop, type WrittenOperation } from "../support/commands.ts";
import { create, prepare } from "./item/support.ts";

/**
 * Two operations of which each decides by what the other changes, what there is before, and how they end: an action, or
 * the name of an error. `one` goes first in `oneFirst`.
 */
interface Contest {
  what: string;
  begin(shop: Shop): Promise<{ one: WrittenOperation; other: WrittenOperation }>;
  oneFirst: [one: string, other: string];
  otherFirst: [other: string, one: string];
}

const uses = (identifier: string) => ({
  ...{ id: identifier, name: identifier, type: "piece" },
  config: { piece: { identifier } },
});

const usesPiece = (identifier: string, used: string): WrittenOperation => [
  "piece/update",
  { identifier, name: identifier, components: [uses(used)] },
];

const flow = { identifier: "review", name: "Review", type: "item" };
const stage = (identifier: string) => ({ identifier, name: identifier });
const entering = (id: string, more: object = {}): WrittenOperation => [
  "item/flow/stage/addItems",
  { stageIdentifier: "todo", items: [{ id }], ...more },
];

const contests: readonly Contest[] = [
  {
    what: "two pieces that come to use each other",
    async begin(shop) {
      for (const identifier of ["hen", "egg"])
        await shop.done("piece/create", { identifier, name: identifier });
      return { one: usesPiece("hen", "egg"), other: usesPiece("egg", "hen") };
    },
    oneFirst: ["updated", "ValidationError"],
    otherFirst: ["updated", "ValidationError"],
  },
  {
    what: "two pieces that come to use each other through a third",
    async begin(shop) {
      for (const identifier of ["hen", "egg"])
        await shop.done("piece/create", { identifier, name: identifier });
      await shop.done("piece/create", { identifier: "nest", name: "Nest", components: [uses("egg")] });
      return { one: usesPiece("hen", "nest"), other: usesPiece("egg", "hen") };
    },
    oneFirst: ["updated", "ValidationError"],
    otherFirst: ["updated", "ValidationError"],
  },
  {
    what: "a flow that is restricted, and an item of another shape that enters it",
    async begin(shop) {
      const id = await create(shop, "document");
      await shop.done("flow/create", { ...flow, stages: [stage("todo")] });
      const restrictions = { item: { acceptedShapeIdentifiers: ["product"] } };
      return { one: ["flow/update", { identifier: "review", restrictions }], other: entering(id) };
    },
    oneFirst: ["updated", "ConflictError"],
    otherFirst: ["updated", "updated"],
  },
];

describe("two writers at once on PostgreSQL", () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestPostgres();
  });
  afterAll(() => database.close());

  const writer =
    ({ tenant, store }: Shop, [intent, payload]: WrittenOperation): Writer<string> =>
    async (on) => {
      const services = { database: on, store };
      const done = await executeCommand(services, tenant, intent, payload as Payload<Intent>);
      return done instanceof Rejection ? done.name : (done.action as string);
    };

  test.each(contests)("end as one after the other: $what", async ({ begin, oneFirst, otherFirst }) => {
    for (const isOneFirst of [true, false]) {
      const shop = await openShop(database);
      await prepare(shop);
      const { one, other } = await begin(shop);
      const [first, second] = isOneFirst ? [one, other] : [other, one];
      const outcome = await overlapping(database, writer(shop, first), writer(shop, second));
      expect(outcome, `${first[0]} before ${second[0]}`).toEqual(isOneFirst ? oneFirst : otherFirst);
    }
  });
});
