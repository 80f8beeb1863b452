import { beforeEach, expect, test } from "vitest";
import { customerGroups } from "../../src/storage/collections/customer-groups.ts";
import { describeOnEngines } from "../support/commands.ts";

const group = (identifier: string) => ({ type: "customerGroup", identifier });

describeOnEngines("a customer group", (shop) => {
  test("a customer group is not created twice", async () => {
    await shop().done("customer/group/create", { identifier: "north", name: "North" });
    const refusal = await shop().refused("customer/group/create", { identifier: "north" });
    expect(refusal).toMatchObject({ name: "CustomerGroupIdentifierTakenError", statusCode: 409 });
    expect((await shop().get(customerGroups, "north"))?.name).toBe("North");
  });

  test("a customer group is not updated when it does not exist, or is a customer", async () => {
    await shop().done("customer/create", { identifier: "north" });
    const refusal = await shop().refused("customer/group/update", { identifier: "north" });
    expect(refusal).toMatchObject({ name: "CustomerGroupNotFoundError", statusCode: 404 });
    expect(refusal.message).toContain('"north"');
  });

  test("a customer group cannot have parents that do not exist", async () => {
    const refusal = await shop().refused("customer/group/upsert", {
      identifier: "north",
      parents: [group("world")],
    });
    expect(refusal).toMatchObject({
      name: "CustomerGroupNotFoundError",
      errors: [{ path: ["parents", 0, "identifier"] }],
    });
    expect(await shop().all(customerGroups)).toEqual([]);
  });

  test("a customer group has at most five parents", async () => {
    const parents = Array.from({ length: 6 }, (_, i) => group(`group-${i}`));
    const refusal = await shop().refused("customer/group/create", { identifier: "north", parents });
    expect(refusal).toMatchObject({ name: "TooManyCustomerParentsProvidedError" });
  });

  test("a customer group cannot be above itself", async () => {
    await shop().done("customer/group/create", { identifier: "world" });
    await shop().done("customer/group/create", { identifier: "north", parents: [group("world")] });
    const refusal = await shop().refused("customer/group/update", {
      identifier: "world",
      parents: [group("north")],
    });
    expect(refusal).toMatchObject({ name: "ValidationError", message: expect.stringContaining('"north"') });
  });

  test("a customer group cannot get parents that put its descendants below the fifth level", async () => {
    await shop().done("customer/group/create", { identifier: "g0" });
    for (let i = 1; i <= 3; i++)
      await shop().done("customer/group/create", { identifier: `g${i}`, parents: [group(`g${i - 1}`)] });
    await shop().done("customer/create", { identifier: "ada", parents: [group("g3")] });
    for (const identifier of ["world", "universe"])
      await shop().done("customer/group/create", { identifier });
    await shop().done("customer/group/update", { identifier: "g0", parents: [group("world")] });
    const refusal = await shop().refused("customer/group/update", {
      identifier: "world",
      parents: [group("universe")],
    });
    expect(refusal).toMatchObject({
      name: "ValidationError",
      message: 'What is below "world" would be 6 levels below the top, through "universe"; the limit is 5',
      errors: [{ path: ["parents", 0, "identifier"] }],
    });
  });

  test("a customer group is stored with its parents", async () => {
    await shop().done("customer/group/create", { identifier: "world" });
    const result = await shop().done("customer/group/upsert", {
      ...{ identifier: "north", name: "North" },
      parents: [group("world")],
    });
    expect(result).toEqual({ action: "created", output: { identifier: "north" } });
    expect(await shop().get(customerGroups, "north")).toMatchObject({
      name: "North",
      parents: [group("world")],
    });
  });
});

describeOnEngines("an update of a customer group", (shop) => {
  beforeEach(async () => {
    await shop().done("customer/group/create", { identifier: "world" });
    await shop().done("customer/group/create", {
      identifier: "north",
      name: "North",
      parents: [group("world")],
    });
  });

  const changes = ["customer/group/update", "customer/group/upsert"] as const;

  test.each(changes)("%s that changes nothing writes nothing", async (intent) => {
    const before = await shop().get(customerGroups, "north");
    expect(
      await shop().done(intent, { identifier: "north", name: "North", parents: [group("world")] }),
    ).toEqual({ action: "unchanged", output: { type: "customerGroup", identifier: "north" } });
    expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    expect(await shop().get(customerGroups, "north")).toEqual(before);
  });

  test.each(changes)("%s keeps fields of a customer group that are not sent", async (intent) => {
    expect((await shop().done(intent, { identifier: "north", name: "Nord" })).action).toBe("updated");
    expect(await shop().get(customerGroups, "north")).toMatchObject({
      name: "Nord",
      parents: [group("world")],
    });
  });

  test("an update clears fields of a customer group that are null", async () => {
    await shop().done("customer/group/update", { identifier: "north", name: null, parents: null });
    expect(await shop().get(customerGroups, "north")).toMatchObject({ name: null, parents: [] });
  });
});
