import type { Intent } from "@lading/schema";
import { describe, expect, test } from "vitest";
import { itemAliases } from "../../src/storage/collections/item-aliases.ts";
import { itemShortcuts } from "../../src/storage/collections/item-shortcuts.ts";
import { priceListVariants } from "../../src/storage/collections/price-lists.ts";
import { sqlStateOf, sqlStates } from "../../src/storage/sql-states.ts";
import type { Shop, WrittenPayload } from "../support/commands.ts";
import { executeAlone, onPostgres } from "../support/concurrent-writers.ts";
import { holdWriter } from "../support/held-writer.ts";
import { create, newTopic, variantsOf } from "./item/support.ts";

describe("two writers of one list on PostgreSQL", () => {
  let shop: Shop;
  onPostgres((opened) => {
    shop = opened;
  });

  const execute = (intent: Intent, payload: WrittenPayload) => executeAlone(shop, intent, payload);

  const variant = (sku: string, more: object = {}) => ({ sku, name: sku, ...more });
  const skus = async (itemId: string) =>
    (await variantsOf(shop, itemId)).map(({ sku, position }) => `${position} ${sku}`).sort();
  const sorted = async (table: string, column: string, owner: string) =>
    (
      await shop.database.query<{ at: string }>(
        `SELECT concat(position, ' ', ${column}) AS at FROM ${table} WHERE tenant_id = $1 AND ${owner} ORDER BY 1`,
        [shop.tenant.id],
      )
    ).map(({ at }) => at);

  interface List {
    /** Makes an item or a flow, and two operations on a list of it. */
    prepare(): Promise<[WrittenPayload, WrittenPayload]>;
    intent: Intent;
    /** The stored list after the first and then the second has written. */
    expected: readonly string[];
    stored(): Promise<readonly string[]>;
  }
  let id = "";
  const made = async (kind: "document" | "product", more: WrittenPayload = {}) => {
    id = await create(shop, kind, more);
    return { itemId: id, language: "en" };
  };
  const lists: Record<string, List> = {
    "the topics of an item": {
      intent: "document/update",
      prepare: async () => {
        const item = await made("document");
        const [one, other] = [await newTopic(shop, "one"), await newTopic(shop, "other")];
        return [
          { ...item, topicIds: [one] },
          { ...item, topicIds: [other] },
        ];
      },
      expected: ["0 other"],
      stored: async () =>
        sorted("item_topics JOIN topic_contents USING (tenant_id, topic_id)", "name", "language = 'en'"),
    },
    "the aliases of an item": {
      intent: "item/paths/setAliases",
      prepare: async () => {
        const item = await made("document");
        return [
          { ...item, paths: ["/one"] },
          { ...item, paths: ["/other"] },
        ];
      },
      expected: ["/other"],
      stored: async () => (await shop.all(itemAliases)).map(({ path }) => path),
    },
    "the former paths of an item": {
      intent: "item/paths/addHistory",
      prepare: async () => {
        const item = await made("document");
        return [
          { ...item, paths: ["/one"] },
          { ...item, paths: ["/other"] },
        ];
      },
      expected: ["0 /one", "1 /other"],
      stored: () => sorted("item_former_paths", "path", "true"),
    },
    "the shortcuts of an item": {
      intent: "item/paths/setShortcuts",
      prepare: async () => {
        const item = await made("document");
        const [one, other] = [await create(shop, "folder"), await create(shop, "folder")];
        otherFolder = other;
        return [one, other].map((parentId) => ({ itemId: item.itemId, shortcuts: [{ parentId }] })) as never;
      },
      expected: ["the other"],
      stored: async () =>
        (await shop.all(itemShortcuts)).map(({ parentId }) => (parentId === otherFolder ? "the other" : "")),
    },
    "the variants of a product": {
      intent: "product/update",
      prepare: async () => {
        const item = await made("product", { variants: [variant("a"), variant("b")] });
        return [
          { ...item, variants: [variant("a"), variant("b"), variant("one")] },
          { ...item, variants: [variant("a"), variant("b"), variant("other")] },
        ];
      },
      expected: ["0 a", "1 b", "2 other"],
      stored: () => skus(id),
    },
    "the variants of a product that has had one": {
      intent: "product/update",
      prepare: async () => {
        const item = await made("product", { variants: [variant("a")] });
        return [
          { ...item, variants: [variant("a"), variant("one")] },
          { ...item, variants: [variant("a", { externalReference: "x" })] },
        ];
      },
      expected: ["0 a"],
      stored: () => skus(id),
    },
    "different variants in a list of a product": {
      intent: "product/update",
      prepare: async () => {
        const item = await made("product", { variants: [variant("a"), variant("b")] });
        const of = (a: string, b: string) => ({
          ...item,
          variants: [variant("a", { externalReference: a }), variant("b", { externalReference: b })],
        });
        await execute("product/update", of("0", "0"));
        return [of("1", "0"), of("0", "2")];
      },
      expected: ["a 0", "b 2"],
      stored: async () =>
        (await variantsOf(shop, id))
          .map(({ sku, externalReference }) => `${sku} ${externalReference}`)
          .sort(),
    },
    "the variants of a product, by adding": {
      intent: "product/variant/create",
      prepare: async () => {
        await made("product", { variants: [variant("a")] });
        const adding = (sku: string) => ({ productId: id, language: "en", ...variant(sku) });
        return [adding("one"), adding("other")];
      },
      expected: ["0 a", "1 one", "2 other"],
      stored: () => skus(id),
    },
    "the stages of a flow": {
      intent: "flow/update",
      prepare: async () => {
        const stage = (identifier: string) => ({ identifier, name: identifier });
        const flow = { identifier: "flow", name: "Flow", type: "item", stages: [stage("a")] };
        await execute("flow/create", flow);
        return [
          { ...flow, stages: [stage("a"), stage("one")] },
          { ...flow, stages: [stage("a"), stage("other")] },
        ];
      },
      expected: ["0 a", "1 other"],
      stored: () => sorted("flow_stages", "identifier", "true"),
    },
    "what a price list selects": {
      intent: "pricelist/update",
      prepare: async () => {
        await made("product", { variants: [variant("a"), variant("b")] });
        const list = (sku: string[]) => ({
          ...{
            identifier: "list",
            name: "List",
            modifierType: "PERCENTAGE",
            priceVariants: [{ identifier: "default", modifier: 1 }],
          },
          targetAudience: { type: "EVERYONE" },
          selectedProductVariants: { type: "SOME_SKUS", variants: sku.map((sku) => ({ sku })) },
        });
        await shop.done("pricelist/create", list([]));
        return [list(["a"]), list(["b"])];
      },
      expected: ["b"],
      stored: async () => (await shop.all(priceListVariants)).map(({ sku }) => sku),
    },
  };
  let otherFolder = "";

  test.each(Object.keys(lists))("two concurrent writers leave %s as if they ran serially", async (name) => {
    const { intent, prepare, expected, stored } = lists[name] as List;
    const [one, other] = await prepare();
    const slower = holdWriter(shop, intent, other);
    await slower.executed;
    expect(await execute(intent, one)).toHaveProperty("action");
    const error = await slower.commit().catch((reason) => reason);
    expect(sqlStateOf(error)).toBe(sqlStates.serializationFailure);
    expect(await execute(intent, other)).toHaveProperty("action");
    expect(await stored()).toEqual(expected);
  });
});
