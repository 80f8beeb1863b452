import type { Intent } from "@lading/schema";
import { describe, expect, test } from "vitest";
import {
  beforeCommit,
  overlapping,
  type Writer,
  waiting,
} from "../../../../test/support/concurrency/overlapping.ts";
import { engines, sharedPostgres } from "../../../../test/support/engines.ts";
import { opened } from "../../../../test/support/opened.ts";
import { settingOf } from "../../src/domain/settings/entries.ts";
import { type SettingKind, settingKinds } from "../../src/domain/settings/kinds.ts";
import { settingLimits } from "../../src/domain/settings/limits.ts";
import type { Database } from "../../src/storage/database.ts";
import { tenantById } from "../../src/storage/tenants/find.ts";
import { issueAccessToken } from "../../src/tenants/access-tokens.ts";
import { operator } from "../../src/tenants/audit.ts";
import { executing, openShop, type Shop, type WrittenPayload } from "../support/commands.ts";
import { addSetting, changeSetting, deleteSetting, type KindName } from "../support/settings.ts";
import { create, newItem, prepare } from "./item/support.ts";
import { list } from "./pricelist/support.ts";
import { contract, metered, prepare as preparePlans, recurring } from "./subscription-contract/support.ts";

const [vat, pipeline, stage] = ["1", "2", "3"].map((digit) => digit.repeat(24)) as [string, string, string];
const stages = [stage, "4".repeat(24)].map((id) => ({ id, name: `Stage ${id[0]}` }));

type Scope = Pick<Shop, "database" | "tenant">;

/** An operation that names a setting or a part of one, and the change that removes it. */
interface Contest {
  what: string;
  use(shop: Shop): Promise<[Intent, WrittenPayload]>;
  remove(scope: Scope): Promise<unknown>;
}

const deleting = (kind: KindName, key: string) => (scope: Scope) => deleteSetting(scope, kind, key);

const leavingOut = (kind: "subscriptionPlan" | "pipeline", key: string, part: string) => (scope: Scope) => {
  const entry: object = settingOf(scope.tenant, settingKinds[kind] as SettingKind, key);
  const entries = Object.entries(entry).map(([name, value]) => [
    name,
    name === part ? value.slice(1) : value,
  ]);
  return changeSetting(scope, kind, key, Object.fromEntries(entries));
};

const inContract = async (): Promise<[Intent, WrittenPayload]> => [
  "subscription-contract/create",
  contract({ recurring: { ...recurring, meteredVariables: [metered] } }),
];

const inPipeline = async (): Promise<[Intent, WrittenPayload]> => [
  "order/register",
  {
    ...{ customer: { identifier: "ada", type: "individual" }, cart: [{ name: "Chair", quantity: 1 }] },
    pipelines: [{ pipelineId: pipeline, stageId: stage }],
  },
];

const contests: readonly Contest[] = [
  {
    what: "a language",
    use: async (shop) => ["folder/create", newItem(shop, "folder", { language: "no" })],
    remove: deleting("language", "no"),
  },
  {
    what: "a VAT type",
    use: async (shop) => ["product/create", newItem(shop, "product", { vatTypeId: vat })],
    remove: deleting("vatType", vat),
  },
  {
    what: "a price variant",
    async use(shop) {
      await create(shop, "product", { variants: [{ sku: "a", name: "A" }] });
      return ["product/variant/price/modify", { sku: "a", priceVariantIdentifier: "b2b", price: 1 }];
    },
    remove: deleting("priceVariant", "b2b"),
  },
  {
    what: "a stock location",
    async use(shop) {
      await create(shop, "product", { variants: [{ sku: "a", name: "A" }] });
      const change = { operation: "increase", quantity: 1 };
      return ["product/variant/stock/modify", { sku: "a", stockLocationIdentifier: "backorder", ...change }];
    },
    remove: deleting("stockLocation", "backorder"),
  },
  {
    what: "a market",
    use: async () => [
      "pricelist/create",
      list({ targetAudience: { type: "SOME", marketIdentifiers: ["eu"] } }),
    ],
    remove: deleting("market", "eu"),
  },
  { what: "a subscription plan", use: inContract, remove: deleting("subscriptionPlan", "coffee") },
  { what: "a period", use: inContract, remove: leavingOut("subscriptionPlan", "coffee", "periods") },
  {
    what: "a metered variable",
    use: inContract,
    remove: leavingOut("subscriptionPlan", "coffee", "meteredVariables"),
  },
  { what: "an order pipeline", use: inPipeline, remove: deleting("pipeline", pipeline) },
  { what: "a stage", use: inPipeline, remove: leavingOut("pipeline", pipeline, "stages") },
];

/** A tenant with everything the contests name, both contenders' operations, and a database to run them on. */
async function furnish(shop: Shop, { use, remove }: Contest) {
  await prepare(shop);
  await preparePlans(shop);
  await shop.set({
    vatTypes: [...shop.tenant.settings.vatTypes, { id: vat, name: "Reduced", percent: 8 }],
    markets: [{ identifier: "eu", name: "EU" }],
    pipelines: [{ id: pipeline, name: "Delivery", stages }],
  });
  const using = executing(shop, await use(shop));
  const removing: Writer<string> = (database) =>
    remove({ database, tenant: shop.tenant }).then(
      () => "done",
      ({ name }) => name,
    );
  return { using, removing };
}

describe.each(engines)("a setting that an operation names while it is taken away on $name", (engine) => {
  const database = opened(engine.shared);

  // One connection needs no more than to be tried.
  test.each(engine.name === "PGlite" ? contests.slice(0, 2) : contests)(
    "a deleted setting refuses the operation if it goes first, and stays if it does not ($what)",
    async (contest) => {
      const shop = await openShop(database);
      const { using, removing } = await furnish(shop, contest);
      expect(await overlapping(database, removing, using)).toEqual(["done", "SettingNotFoundError"]);
      await shop.set({});
      expect(await overlapping(database, using, removing)).toEqual([
        expect.stringMatching(/^(created|updated)$/),
        "SettingInUseError",
      ]);
    },
  );
});

test("operations that begin while a setting's deletion waits do not overtake it", async () => {
  const database = await sharedPostgres();
  const shop = await openShop(database);
  const { using, removing } = await furnish(shop, contests[0] as Contest);
  const held = beforeCommit(database);
  const stock = { sku: "beans", stockLocationIdentifier: "default", operation: "increase", quantity: 1 };
  const running = executing(shop, ["product/variant/stock/modify", stock])(held.database);
  await held.reached;
  const removed = removing(database);
  await waiting(database, 1);
  const used = using(database);
  await waiting(database, 2);
  held.release();
  expect(await running).toBe("updated");
  expect([await removed, await used]).toEqual(["done", "SettingNotFoundError"]);
  await database.close();
});

test("of two concurrent additions, the second counts what the first added", async () => {
  const database = await sharedPostgres();
  const shop = await openShop(database);
  const markets = Array.from({ length: settingLimits.markets - 1 }, (_, i) => ({
    identifier: `m${i}`,
    name: "M",
  }));
  await shop.set({ markets });
  const adding =
    (identifier: string): Writer<string> =>
    (on) =>
      addSetting({ ...shop, database: on }, "market", { identifier, name: "M" }).then(
        () => "done",
        ({ message }) => message,
      );
  expect(await overlapping(database, adding("eu"), adding("us"))).toEqual([
    "done",
    "The tenant has 1000 markets; the limit is 1000",
  ]);
  await database.close();
});

test("of two concurrent upserts of a new VAT type by name, the second updates what the first added", async () => {
  const database = await sharedPostgres();
  const shop = await openShop(database);
  const upserting = (percent: number) => executing(shop, ["vatType/upsert", { name: "Food", percent }]);
  expect(await overlapping(database, upserting(10), upserting(15))).toEqual(["created", "updated"]);
  const { vatTypes } = (await tenantById(database, shop.tenant.id)).settings;
  expect(vatTypes.map(({ name, percent }) => [name, percent])).toEqual([
    ["No tax", 0],
    ["Food", 15],
  ]);
  await database.close();
});

test.each(["a mutation", "a new access token"])(
  "%s that met a lone transaction waits for the next one too, and meets no other",
  async (what) => {
    const database = await sharedPostgres();
    const shop = await openShop(database);
    for (const identifier of ["eu", "us", "uk"]) await addSetting(shop, "market", { identifier, name: "M" });
    const deleting = (on: Database, key: string) => deleteSetting({ ...shop, database: on }, "market", key);
    const [first, second] = [beforeCommit(database), beforeCommit(database)];
    const eu = deleting(first.database, "eu");
    await first.reached;
    let attempts = 0;
    const begun = Promise.withResolvers<void>();
    const counted: Database = {
      ...database,
      transaction(work, locks) {
        // It comes again when the next one is alone already.
        if (++attempts > 1) return second.reached.then(() => database.transaction(work, locks));
        begun.resolve();
        return database.transaction(work, locks);
      },
    };
    const writes: Promise<unknown> =
      what === "a mutation"
        ? executing(shop, ["piece/create", { identifier: "piece", name: "Piece" }])(counted)
        : issueAccessToken(counted, shop.tenant, { name: "T", role: "reader" }, operator);
    await begun.promise;
    await waiting(database, 1);
    const us = deleting(second.database, "us");
    await waiting(database, 2);
    first.release();
    await eu;
    await Promise.race([second.reached, writes]);
    if (attempts > 1) {
      await waiting(database, 1);
      second.release();
    }
    await second.reached;
    second.release();
    await Promise.all([us, writes]);
    expect(attempts).toBe(what === "a mutation" ? 2 : 1);
    await database.close();
  },
);
