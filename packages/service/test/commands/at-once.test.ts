import { describe, expect, test } from "vitest";
import { overlapping, type Writer } from "../../../../test/support/concurrency/overlapping.ts";
import { sharedPostgres } from "../../../../test/support/engines.ts";
import { opened } from "../../../../test/support/opened.ts";
import { executeHandler } from "../../src/commands/execute.ts";
import { commands } from "../../src/commands/registry.ts";
import type { CommandContext } from "../../src/domain/command.ts";
import { trackUsage } from "../../src/domain/subscription-contract/track-usage.ts";
import { flowItems } from "../../src/storage/collections/flow-items.ts";
import { flowStages } from "../../src/storage/collections/flow-stages.ts";
import { itemAliases } from "../../src/storage/collections/item-aliases.ts";
import { itemContents } from "../../src/storage/collections/item-contents.ts";
import { items } from "../../src/storage/collections/items.ts";
import { topicContents } from "../../src/storage/collections/topic-contents.ts";
import { topics } from "../../src/storage/collections/topics.ts";
import { operator } from "../../src/tenants/audit.ts";
import {
  executing,
  openShop,
  outcomesOf,
  type Shop,
  type WrittenOperation,
  type WrittenPayload,
} from "../support/commands.ts";
import { create, newItem, newTopic, pathOf, prepare } from "./item/support.ts";
import { list, some } from "./pricelist/support.ts";
import { contract, id, prepare as prepareContracts } from "./subscription-contract/support.ts";

/**
 * Two operations that each decide by what the other changes, the existing data, and their outcomes: an action, or an
 * error's name. `one` goes first in `oneFirst`.
 */
interface Contest {
  what: string;
  begin(shop: Shop): Promise<{ one: WrittenOperation; other: WrittenOperation | typeof usage }>;
  oneFirst: [one: string, other: string];
  otherFirst: [other: string, one: string];
  after?(shop: Shop): Promise<void>;
}

const addAlias = (itemId: string, path: string): WrittenOperation => [
  "item/paths/addAliases",
  { itemId, language: "en", paths: [path] },
];

const rename = (kind: "folder" | "document", itemId: string, name: string): WrittenOperation => [
  `${kind}/update`,
  { itemId, language: "en", name },
];

const uses = (identifier: string) => ({
  ...{ id: identifier, name: identifier, type: "piece" },
  config: { piece: { identifier } },
});

const usesPiece = (identifier: string, used: string): WrittenOperation => [
  "piece/update",
  { identifier, name: identifier, components: [uses(used)] },
];

/** Usage of a contract, which no intent tracks. */
const usage = { subscriptionContractId: id, input: { meteredVariableIdentifier: "cups", quantity: 1 } };
const usesSize = { id: "size", name: "Size", type: "piece", config: { piece: { identifier: "size" } } };
const flow = { identifier: "review", name: "Review", type: "item" };
const stage = (identifier: string) => ({ identifier, name: identifier });
const entering = (id: string, more: object = {}): WrittenOperation => [
  "item/flow/stage/addItems",
  { stageIdentifier: "todo", items: [{ id }], ...more },
];

const stages = [stage("todo")];

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
      await shop.done("flow/create", { ...flow, stages });
      const restrictions = { item: { acceptedShapeIdentifiers: ["product"] } };
      return { one: ["flow/update", { identifier: "review", restrictions }], other: entering(id) };
    },
    oneFirst: ["updated", "ConflictError"],
    otherFirst: ["updated", "updated"],
  },
  {
    what: "an alias, and an item that is created at its path",
    async begin(shop) {
      const itemId = await create(shop, "document", { name: "Sale" });
      return {
        one: addAlias(itemId, "/chairs"),
        other: ["document/create", newItem(shop, "document", { name: "Chairs" })],
      };
    },
    oneFirst: ["updated", "created"],
    otherFirst: ["created", "PathTakenError"],
    after: (shop) => noAliasIsPath(shop),
  },
  {
    what: "an alias, and an item that is renamed to its path",
    async begin(shop) {
      const [itemId, other] = [await create(shop, "document"), await create(shop, "document")];
      return { one: addAlias(itemId, "/chairs"), other: rename("document", other, "Chairs") };
    },
    oneFirst: ["updated", "updated"],
    otherFirst: ["updated", "PathTakenError"],
    after: (shop) => noAliasIsPath(shop),
  },
  {
    what: "a folder that is renamed, and an item that is created below it, at an alias",
    async begin(shop) {
      const parentId = await create(shop, "folder", { name: "Old" });
      const itemId = await create(shop, "document", { name: "Sale" });
      await shop.done(...addAlias(itemId, "/shop/chairs"));
      const below = newItem(shop, "document", { name: "Chairs", tree: { parentId } });
      return { one: rename("folder", parentId, "Shop"), other: ["document/create", below] };
    },
    oneFirst: ["updated", "created"],
    otherFirst: ["created", "PathTakenError"],
    after: (shop) => noAliasIsPath(shop),
  },
  {
    what: "a customer that is created at the last level, and the top, which gets a parent",
    async begin(shop) {
      const under = (identifier: string): WrittenPayload => ({ parents: [{ type: "customer", identifier }] });
      for (const identifier of ["top", "c1"]) await shop.done("customer/create", { identifier });
      for (const n of [2, 3, 4, 5])
        await shop.done("customer/create", { identifier: `c${n}`, ...under(`c${n - 1}`) });
      return {
        one: ["customer/create", { identifier: "leaf", ...under("c5") }],
        other: ["customer/update", { identifier: "c1", ...under("top") }],
      };
    },
    oneFirst: ["created", "ValidationError"],
    otherFirst: ["updated", "ValidationError"],
  },
  {
    what: "two upserts by one external reference",
    async begin(shop) {
      const upsert = (name: string): WrittenOperation => [
        "folder/upsert",
        newItem(shop, "folder", { name, externalReference: "erp-1" }),
      ];
      return { one: upsert("Chairs"), other: upsert("Tables") };
    },
    oneFirst: ["created", "updated"],
    otherFirst: ["created", "updated"],
  },
  {
    what: "an item that moves, and gets another language",
    async begin(shop) {
      const parentId = await create(shop, "folder");
      const itemId = await create(shop, "document");
      const one: WrittenOperation = ["document/update", { itemId, language: "en", tree: { parentId } }];
      return { one, other: ["document/update", { itemId, language: "no", name: "Stol" }] };
    },
    oneFirst: ["updated", "updated"],
    otherFirst: ["updated", "updated"],
    after: async (shop) => {
      const contents = (await shop.all(itemContents)).map((content) => [content.itemId, content.parentId]);
      const known = new Map((await shop.all(items)).map(({ id, parentId }) => [id, parentId]));
      for (const [id, parentId] of contents) expect(parentId).toBe(known.get(id as string));
    },
  },
  {
    what: "a topic that moves, and gets another language",
    async begin(shop) {
      const [parentId, topicId] = [await newTopic(shop, "Wood"), await newTopic(shop, "Oak")];
      const one: WrittenOperation = ["topic/update", { topicId, language: "en", parentId }];
      return { one, other: ["topic/update", { topicId, language: "no", name: "Eik" }] };
    },
    oneFirst: ["updated", "updated"],
    otherFirst: ["updated", "updated"],
    after: async (shop) => {
      const known = new Map((await shop.all(topics)).map(({ id, parentId }) => [id, parentId ?? ""]));
      for (const { topicId, parentId } of await shop.all(topicContents))
        expect(parentId).toBe(known.get(topicId));
    },
  },
  {
    what: "a piece, and a shape that comes to use it",
    async begin(shop) {
      await shop.done("piece/create", { identifier: "size", name: "Size" });
      return {
        one: ["piece/delete", { identifier: "size" }],
        other: ["shape/update", { identifier: "document", name: "Document", components: [usesSize] }],
      };
    },
    oneFirst: ["deleted", "PieceNotFoundError"],
    otherFirst: ["updated", "PieceInUseError"],
  },
  {
    what: "a shape, and an item of it",
    async begin(shop) {
      return {
        one: ["shape/delete", { identifier: "document" }],
        other: ["document/create", newItem(shop, "document", { name: "Chairs" })],
      };
    },
    oneFirst: ["deleted", "ShapeNotFoundError"],
    otherFirst: ["created", "ShapeInUseError"],
  },
  {
    what: "a shape, and a flow that is restricted to it",
    async begin() {
      const restrictions = { item: { acceptedShapeIdentifiers: ["document"] } };
      return {
        one: ["shape/delete", { identifier: "document" }],
        other: ["flow/create", { ...flow, stages, restrictions }],
      };
    },
    oneFirst: ["deleted", "ShapeNotFoundError"],
    otherFirst: ["created", "ShapeInUseError"],
  },
  {
    what: "a customer, and one that gets it as a parent",
    async begin(shop) {
      await shop.done("customer/create", { identifier: "top" });
      const parents = [{ type: "customer", identifier: "top" }];
      return {
        one: ["customer/delete", { identifier: "top" }],
        other: ["customer/create", { identifier: "leaf", parents }],
      };
    },
    oneFirst: ["deleted", "CustomerNotFoundError"],
    otherFirst: ["created", "CustomerInUseError"],
  },
  {
    what: "a customer, and a contract",
    async begin(shop) {
      await prepareContracts(shop);
      return {
        one: ["customer/delete", { identifier: "ada" }],
        other: ["subscription-contract/create", contract()],
      };
    },
    oneFirst: ["deleted", "CustomerNotFoundError"],
    otherFirst: ["created", "CustomerInUseError"],
  },
  {
    what: "a customer group, and a price list for it",
    async begin(shop) {
      await shop.done("customer/group/create", { identifier: "club" });
      const targetAudience = { type: "SOME", customerGroupIdentifiers: ["club"] };
      return {
        one: ["customer/group/delete", { identifier: "club" }],
        other: ["pricelist/create", list({ targetAudience })],
      };
    },
    oneFirst: ["deleted", "CustomerGroupNotFoundError"],
    otherFirst: ["created", "CustomerGroupInUseError"],
  },
  {
    what: "a contract, and a usage of it",
    async begin(shop) {
      await prepareContracts(shop);
      await shop.done("subscription-contract/upsert", contract({ id }));
      return { one: ["subscription-contract/delete", { id }], other: usage };
    },
    oneFirst: ["deleted", "SubscriptionContractNotFoundError"],
    otherFirst: ["created", "deleted"],
  },
  {
    what: "a price list, and a variant that it gets to select",
    async begin(shop) {
      await prepareContracts(shop);
      await shop.done("pricelist/create", list(some("mug")));
      return {
        one: ["pricelist/delete", { identifier: "spring" }],
        other: [
          "pricelist/selectedProductVariants/upsert",
          { identifier: "spring", variants: [{ sku: "beans" }] },
        ],
      };
    },
    oneFirst: ["deleted", "PriceListNotFoundError"],
    otherFirst: ["updated", "deleted"],
  },
  {
    what: "a flow, and an item that enters it",
    async begin(shop) {
      const id = await create(shop, "document");
      await shop.done("flow/create", { ...flow, stages });
      return {
        one: ["flow/delete", { identifier: "review" }],
        other: ["item/flow/stage/addItems", { stageIdentifier: "todo", items: [{ id }] }],
      };
    },
    oneFirst: ["deleted", "FlowStageNotFoundError"],
    otherFirst: ["updated", "FlowInUseError"],
  },
];

async function noAliasIsPath(shop: Shop): Promise<void> {
  const all = await shop.all(items);
  const paths = await Promise.all(all.map(({ id }) => pathOf(shop, id)));
  for (const { path } of await shop.all(itemAliases)) expect(paths).not.toContain(path);
}

describe("two concurrent writers on PostgreSQL", () => {
  const database = opened(sharedPostgres);

  const writer = (shop: Shop, operation: WrittenOperation | typeof usage): Writer<string> =>
    Array.isArray(operation)
      ? executing(shop, operation)
      : async (database) => {
          const caller = { tenant: shop.tenant, actor: operator };
          const services = { database, store: shop.store };
          return outcomesOf([await executeHandler(services, caller, trackUsage, operation)]);
        };

  test.each(contests)(
    "two writers end as if they ran serially: $what",
    async ({ begin, oneFirst, otherFirst, after }) => {
      for (const isOneFirst of [true, false]) {
        const shop = await openShop(database);
        await prepare(shop);
        const { one, other } = await begin(shop);
        const [first, second] = isOneFirst ? [one, other] : [other, one];
        const outcome = await overlapping(database, writer(shop, first), writer(shop, second));
        expect(outcome, isOneFirst ? "one first" : "the other first").toEqual(
          isOneFirst ? oneFirst : otherFirst,
        );
        await after?.(shop);
      }
    },
  );

  test.each(["the item", "the stage"])("a stage and its items stay in one flow: %s first", async (what) => {
    const shop = await openShop(database);
    await prepare(shop);
    const id = await create(shop, "document");
    await shop.done("flow/create", { ...flow, stages: [stage("todo"), stage("done")] });
    await shop.done("flow/create", { ...flow, identifier: "other", stages: [stage("elsewhere")] });
    const puttingIn = writer(shop, entering(id));
    const handing: Writer<string> = async (on) => {
      const services = { database: on, store: shop.store };
      const update = commands["flow/update"];
      const execute = async (context: CommandContext) => {
        await update.execute(context, { identifier: "review", stages: [stage("done")] });
        return update.execute(context, {
          identifier: "other",
          stages: [stage("elsewhere"), stage("todo")],
        });
      };
      const done = await executeHandler(services, { tenant: shop.tenant, actor: operator }, { execute }, {});
      return outcomesOf([done]);
    };
    const outcome =
      what === "the item"
        ? await overlapping(database, puttingIn, handing)
        : await overlapping(database, handing, puttingIn);
    expect(outcome).toEqual(["updated", what === "the item" ? "FlowStageInUseError" : "updated"]);
    const [item] = await shop.all(flowItems);
    expect((await shop.get(flowStages, "todo"))?.flowIdentifier).toBe(item?.flowIdentifier);
  });
});
