import type { Intent, Payload } from "@lading/schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { overlapping, type Writer } from "../../../../test/support/concurrency/overlapping.ts";
import { sharedPostgres } from "../../../../test/support/engines.ts";
import { executeCommand, executeHandler } from "../../src/commands/execute.ts";
import { trackUsage } from "../../src/domain/subscription-contract/track-usage.ts";
import { Rejection } from "../../src/errors.ts";
import type { Database } from "../../src/storage/database.ts";
import { operator } from "../../src/tenants/audit.ts";
import { openShop, type Shop, type WrittenOperation } from "../support/commands.ts";
import { create, newItem, prepare } from "./item/support.ts";
import { list, some } from "./pricelist/support.ts";
import { contract, id, prepare as prepareContracts } from "./subscription-contract/support.ts";

/** A deletion, an operation that names what is deleted, and the errors of the second one. */
interface Contest {
  what: string;
  begin(shop: Shop): Promise<{ deletion: WrittenOperation; use: WrittenOperation | typeof usage }>;
  refusedUse: string;
  refusedDeletion: string;
}

/** Usage of a contract, which no intent tracks. */
const usage = { subscriptionContractId: id, input: { meteredVariableIdentifier: "cups", quantity: 1 } };

const stages = [{ identifier: "todo", name: "To do" }];

const usesPiece = { id: "size", name: "Size", type: "piece", config: { piece: { identifier: "size" } } };

const contests: readonly Contest[] = [
  {
    what: "a piece, and a shape that comes to use it",
    async begin(shop) {
      await shop.done("piece/create", { identifier: "size", name: "Size" });
      return {
        deletion: ["piece/delete", { identifier: "size" }],
        use: ["shape/update", { identifier: "document", name: "Document", components: [usesPiece] }],
      };
    },
    refusedUse: "PieceNotFoundError",
    refusedDeletion: "PieceInUseError",
  },
  {
    what: "a shape, and an item of it",
    async begin(shop) {
      return {
        deletion: ["shape/delete", { identifier: "document" }],
        use: ["document/create", newItem(shop, "document", { name: "Chairs" })],
      };
    },
    refusedUse: "ShapeNotFoundError",
    refusedDeletion: "ShapeInUseError",
  },
  {
    what: "a shape, and a flow that is restricted to it",
    async begin() {
      const restrictions = { item: { acceptedShapeIdentifiers: ["document"] } };
      return {
        deletion: ["shape/delete", { identifier: "document" }],
        use: ["flow/create", { identifier: "review", name: "Review", type: "item", stages, restrictions }],
      };
    },
    refusedUse: "ShapeNotFoundError",
    refusedDeletion: "ShapeInUseError",
  },
  {
    what: "a customer, and one that gets it as a parent",
    async begin(shop) {
      await shop.done("customer/create", { identifier: "top" });
      const parents = [{ type: "customer", identifier: "top" }];
      return {
        deletion: ["customer/delete", { identifier: "top" }],
        use: ["customer/create", { identifier: "leaf", parents }],
      };
    },
    refusedUse: "CustomerNotFoundError",
    refusedDeletion: "CustomerInUseError",
  },
  {
    what: "a customer, and a contract",
    async begin(shop) {
      await prepareContracts(shop);
      return {
        deletion: ["customer/delete", { identifier: "ada" }],
        use: ["subscription-contract/create", contract()],
      };
    },
    refusedUse: "CustomerNotFoundError",
    refusedDeletion: "CustomerInUseError",
  },
  {
    what: "a customer group, and a price list for it",
    async begin(shop) {
      await shop.done("customer/group/create", { identifier: "club" });
      const targetAudience = { type: "SOME", customerGroupIdentifiers: ["club"] };
      return {
        deletion: ["customer/group/delete", { identifier: "club" }],
        use: ["pricelist/create", list({ targetAudience })],
      };
    },
    refusedUse: "CustomerGroupNotFoundError",
    refusedDeletion: "CustomerGroupInUseError",
  },
  {
    what: "a contract, and a usage of it",
    async begin(shop) {
      await prepareContracts(shop);
      await shop.done("subscription-contract/upsert", contract({ id }));
      return { deletion: ["subscription-contract/delete", { id }], use: usage };
    },
    refusedUse: "SubscriptionContractNotFoundError",
    refusedDeletion: "deleted",
  },
  {
    what: "a price list, and a variant that it gets to select",
    async begin(shop) {
      await prepareContracts(shop);
      await shop.done("pricelist/create", list(some("mug")));
      return {
        deletion: ["pricelist/delete", { identifier: "spring" }],
        use: [
          "pricelist/selectedProductVariants/upsert",
          { identifier: "spring", variants: [{ sku: "beans" }] },
        ],
      };
    },
    refusedUse: "PriceListNotFoundError",
    refusedDeletion: "deleted",
  },
  {
    what: "a flow, and an item that enters it",
    async begin(shop) {
      const id = await create(shop, "document");
      await shop.done("flow/create", { identifier: "review", name: "Review", type: "item", stages });
      return {
        deletion: ["flow/delete", { identifier: "review" }],
        use: ["item/flow/stage/addItems", { stageIdentifier: "todo", items: [{ id }] }],
      };
    },
    refusedUse: "FlowStageNotFoundError",
    refusedDeletion: "FlowInUseError",
  },
];

describe("two concurrent writers on PostgreSQL, one of which deletes", () => {
  let database: Database;
  beforeAll(async () => {
    database = await sharedPostgres();
  });
  afterAll(() => database.close());

  const writer =
    ({ tenant, store }: Shop, operation: WrittenOperation | typeof usage): Writer<string> =>
    async (on) => {
      const services = { database: on, store };
      const caller = { tenant, actor: operator };
      // The payloads above are as a file has them.
      const done = Array.isArray(operation)
        ? await executeCommand(services, caller, operation[0], operation[1] as Payload<Intent>)
        : await executeHandler(services, caller, trackUsage, operation);
      return done instanceof Rejection ? done.name : done.action;
    };

  test.each(contests)(
    "the second of two sees what the first did: $what",
    async ({ begin, refusedUse, refusedDeletion }) => {
      for (const isDeletedFirst of [true, false]) {
        const shop = await openShop(database);
        await prepare(shop);
        const { deletion, use } = await begin(shop);
        const [first, second] = isDeletedFirst ? [deletion, use] : [use, deletion];
        const outcome = await overlapping(database, writer(shop, first), writer(shop, second));
        if (isDeletedFirst) expect(outcome).toEqual(["deleted", refusedUse]);
        else expect(outcome).toEqual([expect.stringMatching(/^(created|updated)$/), refusedDeletion]);
      }
    },
  );
});
