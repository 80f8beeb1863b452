import { beforeEach, expect, test } from "vitest";
import { subscriptionContracts } from "../../../src/storage/collections/subscription-contracts.ts";
import { describeOnEngines, expectFewStatements, outcomesOf } from "../../support/commands.ts";
import { contract, id, metered, monthly, plan, prepare, recurring, yearly } from "./support.ts";

const address = { type: "billing" };
const writes = ["subscription-contract/create", "subscription-contract/upsert"] as const;

describeOnEngines("a subscription contract", (shop) => {
  beforeEach(() => prepare(shop()));

  test("updating a missing contract is refused, and the error names the requested one", async () => {
    const byId = await shop().refused("subscription-contract/update", { id, meta: [] });
    expect(byId).toMatchObject({
      ...{ name: "SubscriptionContractNotFoundError", statusCode: 404, errors: [{ path: ["id"] }] },
    });
    expect(byId.message).toContain(id);
    const byName = await shop().refused("subscription-contract/update", { resourceIdentifier: "erp-1" });
    expect(byName).toMatchObject({
      ...{ name: "SubscriptionContractNotFoundError", errors: [{ path: ["resourceIdentifier"] }] },
    });
    expect(byName.message).toContain('"erp-1"');
  });

  const withPhase = (more: object) => ({ recurring: { ...recurring, ...more } });
  const refusals: [field: string, more: object, message: RegExp, name?: string][] = [
    ["customerIdentifier", { customerIdentifier: "eve" }, /"eve"/, "CustomerNotFoundError"],
    [
      "subscriptionPlan.identifier",
      { subscriptionPlan: { ...plan, identifier: "milk" } },
      /no subscription plan "milk".*"coffee"/,
      "SettingNotFoundError",
    ],
    [
      "subscriptionPlan.periodId",
      { subscriptionPlan: { ...plan, identifier: "tea", periodId: yearly } },
      new RegExp(`"tea" has no period "${yearly}".*"${monthly}"`),
      "SettingNotFoundError",
    ],
    [
      "recurring.meteredVariables.1.identifier",
      withPhase({ meteredVariables: [metered, { ...metered, identifier: "pots" }] }),
      /"coffee" has no metered variable "pots".*"cups"/,
      "SettingNotFoundError",
    ],
    ["item.sku", { item: { sku: "milk" } }, /"milk"/, "SkuNotFoundError"],
    [
      "initial.productVariants.1.sku",
      { initial: { ...recurring, productVariants: [{ sku: "mug" }, { sku: "milk" }] } },
      /"milk"/,
      "SkuNotFoundError",
    ],
    [
      "status.activateAt",
      { status: { activateAt: "2030-01-01", activeUntil: "2031-01-01" } },
      /activateAt and activeUntil/,
      "ActivateAtMustBeExclusiveError",
    ],
    [
      "status.activateAt",
      { status: { activateAt: "2030-01-01", renewAt: "2031-01-01" } },
      /activateAt and renewAt/,
      "ActivateAtMustBeExclusiveError",
    ],
    [
      "status.activeUntil",
      { status: { renewAt: "2030-01-01" } },
      /renewAt 2030-01-01T.*without activeUntil/,
      "InvalidActiveUntilDateError",
    ],
    ["status.activateAt", { status: { activateAt: "+012026-01-01T00:00:00Z" } }, /12026/],
    ["signedAt", { signedAt: "+012026-01-01T00:00:00Z" }, /12026/],
    ["resourceIdentifier", { resourceIdentifier: "x".repeat(513) }, /513.*512/],
    ["addresses", { addresses: Array(21).fill(address) }, /21.*20/],
    ["item.quantity", { item: { sku: "beans", quantity: -1 } }, /-1.*0 to 1000000/],
    ["recurring.currency", withPhase({ currency: "x".repeat(11) }), /11.*10/],
    ["recurring.price", withPhase({ price: 1e9 + 1 }), /1000000001.*1000000000/],
    ["recurring.period", withPhase({ period: 0 }), /0.*1 to 1000/],
    [
      "recurring.meteredVariables.0.tiers.0.price",
      withPhase({ meteredVariables: [{ ...metered, tiers: [{ ...metered.tiers[0], price: -2e9 }] }] }),
      /-2000000000/,
    ],
    [
      "recurring.meteredVariables.1",
      withPhase({ meteredVariables: [metered, metered] }),
      /"cups" occurs twice/,
    ],
    [
      "recurring.productVariants.1",
      withPhase({ productVariants: [{ sku: "mug" }, { sku: "mug" }] }),
      /"mug" occurs twice/,
    ],
  ];

  test.each(refusals)(
    "a contract is refused for its %s",
    async (field, more, message, name = "ValidationError") => {
      for (const intent of writes) {
        const refusal = await shop().refused(intent, contract(more));
        expect(refusal).toMatchObject({ name, message: expect.stringMatching(message) });
        expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([field]);
      }
      expect(await shop().all(subscriptionContracts)).toEqual([]);
    },
  );

  test.each(refusals.filter(([field]) => field !== "customerIdentifier"))(
    "an update of a subscription contract is refused for its %s",
    async (_, more, message, name = "ValidationError") => {
      await shop().done("subscription-contract/upsert", contract({ id }));
      const before = await shop().get(subscriptionContracts, id);
      const refusal = await shop().refused("subscription-contract/update", { id, ...more });
      expect(refusal).toMatchObject({ name, message: expect.stringMatching(message) });
      expect(await shop().get(subscriptionContracts, id)).toEqual(before);
    },
  );

  test("a subscription contract cannot take the resource identifier of another", async () => {
    const [named, other] = [{ resourceIdentifier: "erp-1" }, "0123456789abcdef01234568"];
    await shop().done("subscription-contract/upsert", contract({ id, ...named }));
    await shop().done("subscription-contract/upsert", contract({ id: other }));
    for (const [intent, payload] of [
      ["subscription-contract/create", contract(named)],
      ["subscription-contract/upsert", contract({ id: other, ...named })],
      ["subscription-contract/update", { id: other, ...named }],
    ] as const) {
      const refusal = await shop().refused(intent, payload);
      expect(refusal).toMatchObject({ name: "ResourceIdentifierTakenError", statusCode: 409 });
      expect(refusal.message).toContain(id);
    }
  });

  test("a subscription contract cannot change its customer", async () => {
    await shop().done("customer/create", { identifier: "eve" });
    await shop().done("subscription-contract/upsert", contract({ id }));
    const moved = { id, customerIdentifier: "eve" };
    for (const [intent, payload] of [
      ["subscription-contract/upsert", contract(moved)],
      ["subscription-contract/update", moved],
    ] as const) {
      const refusal = await shop().refused(intent, payload);
      expect(refusal).toMatchObject({
        name: "ConflictError",
        message: expect.stringMatching(/"ada".*"eve"/),
      });
    }
    const kept = { id, customerIdentifier: "ada" };
    expect(await shop().done("subscription-contract/update", kept)).toMatchObject({ action: "unchanged" });
  });

  test("a subscription contract is created with everything that was sent, and its id is returned", async () => {
    const parts = {
      item: { sku: "beans", quantity: 2, name: "Beans", meta: [{ key: "roast", value: "dark" }] },
      initial: { ...recurring, price: 0 },
      recurring: { ...recurring, meteredVariables: [metered], productVariants: [{ sku: "mug" }] },
      payment: { provider: "cash", cash: { cash: "10" } },
      addresses: [{ type: "delivery", city: "Oslo" }],
      meta: [{ key: "a", value: "b" }],
      resourceIdentifier: "erp-1",
    };
    const status = { activeUntil: "2020-02-01", renewAt: "2020-01-31" };
    const created = await shop().done(
      "subscription-contract/create",
      contract({ ...parts, status, signedAt: "2020-01-01T12:00:00+01:00" }),
    );
    const [row] = await shop().all(subscriptionContracts);
    expect(created).toEqual({ action: "created", output: { id: row?.id } });
    expect(row).toMatchObject({
      ...{ ...parts, customerIdentifier: "ada", subscriptionPlan: plan, planIdentifier: "coffee" },
      ...{ sku: "beans", signedAt: "2020-01-01T11:00:00.000Z", activateAt: null },
      ...{ activeUntil: "2020-02-01T00:00:00.000Z", renewAt: "2020-01-31T00:00:00.000Z" },
    });
    expect(row?.updatedAt).toBe(row?.createdAt);
  });

  test("a contract is upserted by its id, else by its resource identifier, else created", async () => {
    const upsert = (more: object) => shop().done("subscription-contract/upsert", contract(more));
    expect(await upsert({ id, resourceIdentifier: "erp-1" })).toEqual({ action: "created", output: { id } });
    expect(await upsert({ resourceIdentifier: "erp-1" })).toEqual({ action: "unchanged", output: { id } });
    expect((await upsert({ id, resourceIdentifier: "erp-2" })).action).toBe("updated");
    expect((await upsert({ resourceIdentifier: "erp-1" })).action).toBe("created");
    expect((await upsert({})).action).toBe("created");
    expect((await upsert({})).action).toBe("created");
    expect(await shop().all(subscriptionContracts)).toHaveLength(4);
  });

  test("a subscription contract keeps its item when the variant is deleted", async () => {
    await shop().done("subscription-contract/upsert", contract({ id, item: { sku: "mug" } }));
    await shop().done("product/variant/delete", { sku: "mug" });
    expect((await shop().get(subscriptionContracts, id))?.item).toEqual({ sku: "mug" });
    expect((await shop().done("subscription-contract/update", { id, meta: [{ key: "a" }] })).action).toBe(
      "updated",
    );
  });
});

describeOnEngines("a batch of subscription contracts", (shop) => {
  beforeEach(() => prepare(shop()));

  test("a failed operation is undone alone, and the next sees the customer and variant made in the batch", async () => {
    const product = { language: "en", shapeIdentifier: "goods", name: "New", externalReference: "new" };
    const own = contract({ id, customerIdentifier: "eve", item: { sku: "new" } });
    const results = await shop().batch([
      ["subscription-contract/upsert", own],
      ["customer/create", { identifier: "eve" }],
      ["product/upsert", { ...product, variants: [{ sku: "new", name: "New" }] }],
      ["subscription-contract/upsert", own],
      ["subscription-contract/update", { id, item: { sku: "milk" } }],
      ["subscription-contract/update", { id, meta: [{ key: "a" }] }],
      ["subscription-contract/upsert", own],
    ]);
    expect(outcomesOf(results)).toBe(
      "CustomerNotFoundError created created created SkuNotFoundError updated unchanged",
    );
    expect(await shop().get(subscriptionContracts, id)).toMatchObject({ sku: "new", meta: [{ key: "a" }] });
  });

  test("two hundred subscription contracts need as many statements as ten", async () => {
    await expectFewStatements(shop(), (i) => [
      ["subscription-contract/upsert", contract({ resourceIdentifier: `contract-${i}` })],
    ]);
  });
});
