import { expect, test } from "vitest";
import { auditTrail } from "../../src/storage/collections/audit-trail.ts";
import { settings } from "../../src/storage/collections/settings.ts";
import { describeOnEngines, type Shop } from "../support/commands.ts";
import { storeSettings } from "../support/settings.ts";

const id = (digit: string) => digit.repeat(24);
const recurring = { period: 1, unit: "month" };

async function listed(shop: Shop, list: string): Promise<object[]> {
  const rows = (await shop.all(settings)).filter((row) => row.list === list);
  return rows.toSorted((one, other) => one.position - other.position).map(({ value }) => value);
}

describeOnEngines("upserts of settings", (shop) => {
  test("a value beyond a limit is refused with its path in the payload", async () => {
    const variant = await shop().refused("priceVariant/upsert", {
      ...{ identifier: "a".repeat(65), name: "A", currency: "EUREUREUREU" },
    });
    expect(variant).toMatchObject({
      name: "ValidationError",
      errors: [{ path: ["identifier"] }, { path: ["currency"] }],
    });
    const plan = await shop().refused("subscriptionPlan/upsert", {
      ...{ identifier: "p", name: "P" },
      periods: [{ name: "x".repeat(257), recurring: { period: 2_000, unit: "day" } }],
    });
    expect(plan.errors.map(({ path }) => path)).toEqual([
      ["periods", 0, "name"],
      ["periods", 0, "recurring", "period"],
    ]);
    expect(await shop().all(auditTrail)).toHaveLength(1);
  });

  test("a name that several VAT types have does not say which one is to be updated", async () => {
    const both = ["a", "b"].map((digit) => ({ id: id(digit), name: "Food", percent: 1 }));
    await storeSettings(shop(), { vatTypes: both });
    const refusal = await shop().refused("vatType/upsert", { name: "Food", percent: 2 });
    expect(refusal).toMatchObject({ name: "ConflictError", errors: [{ path: ["name"] }] });
    expect(refusal.message).toBe(
      `The tenant has 2 VAT types "Food"; give the id of one: ${id("a")}, ${id("b")}`,
    );
    await shop().done("vatType/upsert", { id: id("b"), name: "Food", percent: 2 });
    expect(await listed(shop(), "vatTypes")).toEqual([both[0], { ...both[1], percent: 2 }]);
  });

  test("a part of a setting that rows name is not taken away", async () => {
    const stages = [
      { id: id("1"), name: "New" },
      { id: id("2"), name: "Sent" },
    ];
    const { output } = await shop().done("orderPipeline/upsert", { name: "Orders", stages });
    await shop().done("order/register", {
      ...{ customer: { identifier: "a" }, cart: [{ name: "Cup", quantity: 1 }] },
      pipelines: [{ pipelineId: output.id, stageId: id("1") }],
    });
    const refusal = await shop().refused("orderPipeline/upsert", { name: "Orders", stages: stages.slice(1) });
    expect(refusal).toMatchObject({ name: "SettingInUseError" });
    expect(refusal.message).toContain(`the stage "New" (id ${id("1")})`);
  });

  test("a setting is created, updated and left unchanged; what an upsert leaves out stays", async () => {
    const oslo = { identifier: "oslo", name: "Oslo" };
    const withRules = { ...oslo, settings: { minimum: -5 }, isDefault: null };
    expect(await shop().done("stockLocation/upsert", withRules)).toMatchObject({ action: "created" });
    expect(await shop().done("stockLocation/upsert", oslo)).toMatchObject({ action: "unchanged" });
    expect(await shop().done("stockLocation/upsert", { ...oslo, name: "Oslo S" })).toMatchObject({
      action: "updated",
    });
    expect((await listed(shop(), "stockLocations")).at(-1)).toEqual({
      ...{ identifier: "oslo", name: "Oslo S", minimum: -5 },
    });
    const first = { ...oslo, name: "Oslo S", isDefault: true };
    expect(await shop().done("stockLocation/upsert", first)).toMatchObject({ action: "updated" });
    expect(await shop().done("stockLocation/upsert", first)).toMatchObject({ action: "unchanged" });
    expect(await shop().done("stockLocation/upsert", { ...first, isDefault: false })).toMatchObject({
      action: "unchanged",
    });
    expect(await listed(shop(), "stockLocations")).toMatchObject([
      { identifier: "oslo" },
      { identifier: "default" },
    ]);
    const actions = (await shop().all(auditTrail)).map(({ action }) => action).sort();
    expect(actions).toEqual(["setting.created", "setting.updated", "setting.updated", "tenant.created"]);
  });

  test("a position that contradicts isDefault is refused", async () => {
    const oslo = { identifier: "oslo", name: "Oslo" };
    const refusal = await shop().refused("stockLocation/upsert", { ...oslo, isDefault: true, position: 2 });
    expect(refusal.message).toBe("isDefault makes it the first, but position is 2");
  });

  test("an entry moves to its position, and is unchanged if it is already there", async () => {
    const at = async (identifier: string, position: number) =>
      (await shop().done("stockLocation/upsert", { identifier, name: identifier, position })).action;
    const order = async () =>
      (await listed(shop(), "stockLocations")).map((entry) => Reflect.get(entry, "identifier")).join(" ");
    const inOrder = ["a", "b", "c", "d"];
    for (const [slot, identifier] of inOrder.entries()) expect(await at(identifier, slot)).toBe("created");
    expect(await order()).toBe("a b c d default");
    for (const [slot, identifier] of inOrder.entries()) expect(await at(identifier, slot)).toBe("unchanged");
    expect(await at("default", 1)).toBe("updated");
    expect(await order()).toBe("a default b c d");
    expect(await at("e", 2)).toBe("created");
    expect(await at("a", 99)).toBe("updated");
    expect(await order()).toBe("default e b c d a");
    expect(await at("a", 5)).toBe("unchanged");
    for (const [slot, identifier] of inOrder.entries()) await at(identifier, slot);
    expect(await order()).toBe("a b c d default e");
  });

  test("VAT types and pipelines are found by id, else by name; parts without an id keep theirs", async () => {
    const added = await shop().done("vatType/upsert", { name: "Food", percent: 10 });
    const again = await shop().done("vatType/upsert", { name: "Food", percent: 12 });
    expect([added.action, again.action, again.output]).toEqual([
      "created",
      "updated",
      { ...added.output, percent: 12 },
    ]);
    const own = await shop().done("vatType/upsert", { id: id("c"), name: "Food", percent: 12 });
    expect(own).toMatchObject({ action: "created", output: { id: id("c") } });
    const renamed = await shop().done("vatType/upsert", { id: id("c"), name: "Books", percent: 12 });
    expect(renamed).toMatchObject({ action: "updated" });

    const plan = {
      ...{ identifier: "p", name: "P", periods: [{ name: "Monthly", recurring }] },
      meteredVariables: [{ identifier: "cups", name: "Cups", unit: "cup" }],
    };
    const made = await shop().done("subscriptionPlan/upsert", plan);
    expect(await shop().done("subscriptionPlan/upsert", plan)).toEqual({ ...made, action: "unchanged" });
    const { meteredVariables: _, ...withoutVariables } = plan;
    expect(await shop().done("subscriptionPlan/upsert", withoutVariables)).toEqual({
      ...made,
      action: "unchanged",
    });
  });

  test("settings of one batch see each other, and each that fails is undone alone", async () => {
    const outcomes = await shop().batch([
      ["market/upsert", { identifier: "eu", name: "Europe" }],
      ["market/upsert", { identifier: "x".repeat(65), name: "Too long" }],
      ["market/upsert", { identifier: "eu", name: "EU" }],
    ]);
    expect(outcomes).toMatchObject([
      { action: "created" },
      { name: "ValidationError" },
      { action: "updated" },
    ]);
    expect(await listed(shop(), "markets")).toEqual([{ identifier: "eu", name: "EU" }]);
  });
});
