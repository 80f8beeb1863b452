import { beforeEach, describe, expect, test } from "vitest";
import { subscriptionContracts } from "../../../src/storage/collections/subscription-contracts.ts";
import { describeOnEngines } from "../../support/commands.ts";
import { contract, id, metered, monthly, prepare, recurring } from "./support.ts";

const address = { type: "billing" };

describeOnEngines("an update of a subscription contract", (shop) => {
  const full = contract({
    ...{ id, resourceIdentifier: "erp-1", initial: recurring, signedAt: "2020-01-01" },
    ...{ status: { activeUntil: "2030-02-01", renewAt: "2030-01-31" }, meta: [{ key: "a", value: "b" }] },
    ...{ payment: { provider: "cash" }, addresses: [address] },
    recurring: { ...recurring, meteredVariables: [metered] },
  });
  const { customerIdentifier: _, ...sent } = full as Record<string, unknown>;
  beforeEach(async () => {
    await prepare(shop());
    await shop().done("subscription-contract/upsert", full);
  });
  const update = (more: object) => shop().done("subscription-contract/update", { id, ...more });

  test("an update of a contract that changes nothing writes nothing", async () => {
    const before = await shop().get(subscriptionContracts, id);
    for (const [intent, payload] of [
      ["subscription-contract/upsert", full],
      ["subscription-contract/update", sent],
      ["subscription-contract/update", { id }],
      ["subscription-contract/update", { resourceIdentifier: "erp-1" }],
    ] as const) {
      expect(await shop().done(intent, payload)).toEqual({ action: "unchanged", output: { id } });
      expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    }
    expect(await shop().get(subscriptionContracts, id)).toEqual(before);
  });

  test("an update of a contract keeps what is not sent", async () => {
    const before = await shop().get(subscriptionContracts, id);
    expect(await update({ meta: [] })).toEqual({ action: "updated", output: { id } });
    const after = await shop().get(subscriptionContracts, id);
    expect(after).toEqual({ ...before, meta: [], updatedAt: after?.updatedAt });
  });

  test("an update of a contract clears what is null", async () => {
    await update({ initial: null, signedAt: null, meta: null });
    expect(await shop().get(subscriptionContracts, id)).toMatchObject({
      ...{ initial: null, signedAt: null, meta: [] },
    });
  });

  test("an update of a contract replaces the status as a whole", async () => {
    await update({ status: { activeUntil: "2031-01-01" } });
    expect(await shop().get(subscriptionContracts, id)).toMatchObject({
      ...{ activeUntil: "2031-01-01T00:00:00.000Z", renewAt: null, activateAt: null },
    });
    await update({ status: { activateAt: "2031-01-01" } });
    expect(await shop().get(subscriptionContracts, id)).toMatchObject({ activeUntil: null });
  });

  test("an update of a contract replaces the item and the plan, and the names used to find them", async () => {
    const tea = { identifier: "tea", periodId: monthly, periodName: "Each month" };
    await update({ item: { sku: "mug" }, subscriptionPlan: tea, recurring });
    expect(await shop().get(subscriptionContracts, id)).toMatchObject({
      ...{ sku: "mug", item: { sku: "mug" }, planIdentifier: "tea", subscriptionPlan: tea, recurring },
    });
  });

  describe("to another plan", () => {
    const tea = { identifier: "tea", periodId: monthly, periodName: "Monthly" };
    test("a contract cannot move to a plan that lacks a metered variable which the contract keeps", async () => {
      const refusal = await shop().refused("subscription-contract/update", { id, subscriptionPlan: tea });
      expect(refusal).toMatchObject({
        name: "SettingNotFoundError",
        message: expect.stringMatching(/"tea".*"cups"/),
      });
    });
  });
});
