import { beforeEach, describe, expect, test } from "vitest";
import { nextMillisecond } from "../../../../test/support/concurrency/next-millisecond.ts";
import { customers } from "../../src/storage/collections/customers.ts";
import { describeOnEngines, outcomesOf, type Shop } from "../support/commands.ts";

const customer = (identifier: string) => ({ type: "customer", identifier });
const group = (identifier: string) => ({ type: "customerGroup", identifier });
const writes = ["customer/create", "customer/upsert"] as const;
const changes = ["customer/update", "customer/upsert"] as const;

const everything = {
  identifier: "ada",
  type: "organization",
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "Lovelace",
  middleName: "King",
  companyName: "Engines",
  phone: "1",
  taxNumber: "2",
  birthDate: "1815-12-10",
  externalReferences: [{ key: "erp", value: "7" }],
  meta: [{ key: "vip", value: null }],
  addresses: [{ type: "billing", city: "London" }],
};

/** A chain of customers of `levels` levels: the first has no parent. Returns the last. */
async function chain(shop: Shop, levels: number): Promise<string> {
  for (let level = 0; level < levels; level++) {
    const parents = level === 0 ? [] : [customer(`level-${level - 1}`)];
    await shop.done("customer/create", { identifier: `level-${level}`, parents });
  }
  return `level-${levels - 1}`;
}

describeOnEngines("a customer", (shop) => {
  test("a customer is not created twice", async () => {
    await shop().done("customer/create", { identifier: "ada", firstName: "Ada" });
    const refusal = await shop().refused("customer/create", { identifier: "ada" });
    expect(refusal).toMatchObject({ name: "CustomerIdentifierTakenError", statusCode: 409 });
    expect((await shop().get(customers, "ada"))?.firstName).toBe("Ada");
  });

  test("a customer is not updated when it does not exist", async () => {
    const refusal = await shop().refused("customer/update", { identifier: "ada" });
    expect(refusal).toMatchObject({ name: "CustomerNotFoundError", statusCode: 404 });
    expect(refusal.message).toContain('"ada"');
  });

  test("a customer's identifier may have 512 characters of three bytes each", async () => {
    const identifier = "€".repeat(512);
    expect((await shop().done("customer/create", { identifier })).output).toEqual({ identifier });
  });

  test.each(writes)("a customer has at most 20 addresses, by %s", async (intent) => {
    const addresses = Array.from({ length: 21 }, () => ({ type: "other" }));
    const refusal = await shop().refused(intent, { identifier: "ada", addresses });
    expect(refusal).toMatchObject({ name: "ValidationError", errors: [{ path: ["addresses"] }] });
    expect(refusal.message).toMatch(/21.*20/);
    await shop().done(intent, { identifier: "ada", addresses: addresses.slice(1) });
    const update = { identifier: "ada", addresses };
    expect(await shop().refused("customer/update", update)).toMatchObject({ name: "ValidationError" });
  });

  test("a customer is stored as written", async () => {
    const result = await shop().done("customer/create", everything);
    expect(result).toEqual({ action: "created", output: { identifier: "ada" } });
    expect(await shop().get(customers, "ada")).toMatchObject(everything);
  });

  test.each([[undefined], [null]])("a customer whose type is %s becomes an individual", async (type) => {
    await shop().done("customer/create", { identifier: "ada", ...(type === null && { type }) });
    expect((await shop().get(customers, "ada"))?.type).toBe("individual");
  });
});

describeOnEngines("a parent of a customer", (shop) => {
  test.each([
    ["customer", customer("nobody"), "CustomerNotFoundError"],
    ["customer group", group("nobody"), "CustomerGroupNotFoundError"],
  ])("the parent of a customer must exist: %s", async (_, parent, name) => {
    await shop().done("customer/group/create", { identifier: "all" });
    const refusal = await shop().refused("customer/upsert", {
      identifier: "ada",
      parents: [group("all"), parent],
    });
    expect(refusal).toMatchObject({
      name,
      statusCode: 404,
      errors: [{ path: ["parents", 1, "identifier"] }],
    });
    expect(refusal.message).toContain('"nobody"');
    expect(await shop().all(customers)).toEqual([]);
  });

  test("the parent of a customer must be of the given type", async () => {
    await shop().done("customer/create", { identifier: "north" });
    const refusal = await shop().refused("customer/create", { identifier: "ada", parents: [group("north")] });
    expect(refusal).toMatchObject({ name: "CustomerGroupNotFoundError" });
  });

  test("a customer has at most five parents", async () => {
    const parents = Array.from({ length: 6 }, (_, i) => group(`group-${i}`));
    for (const { identifier } of parents) await shop().done("customer/group/create", { identifier });
    for (const intent of writes) {
      const refusal = await shop().refused(intent, { identifier: "ada", parents });
      expect(refusal).toMatchObject({ name: "TooManyCustomerParentsProvidedError", statusCode: 400 });
      expect(refusal).toMatchObject({
        errors: [{ path: ["parents"] }],
        message: expect.stringMatching(/6.*5/),
      });
    }
    await shop().done("customer/create", { identifier: "ada", parents: parents.slice(1) });
    const refusal = await shop().refused("customer/update", { identifier: "ada", parents });
    expect(refusal).toMatchObject({ name: "TooManyCustomerParentsProvidedError" });
  });

  test.each(writes)("a customer cannot be its own parent, by %s", async (intent) => {
    const refusal = await shop().refused(intent, { identifier: "ada", parents: [customer("ada")] });
    expect(refusal).toMatchObject({
      name: "ValidationError",
      errors: [{ path: ["parents", 0, "identifier"] }],
    });
  });

  test.each(changes)("a customer below another cannot become its parent, by %s", async (intent) => {
    const lowest = await chain(shop(), 3);
    const refusal = await shop().refused(intent, { identifier: "level-0", parents: [customer(lowest)] });
    expect(refusal).toMatchObject({
      name: "ValidationError",
      errors: [{ path: ["parents", 0, "identifier"] }],
    });
    expect(refusal.message).toContain(`"${lowest}"`);
    expect((await shop().get(customers, "level-0"))?.parents).toEqual([]);
  });

  test("the parent of a customer is at most on the fourth level below the top", async () => {
    const fifth = await chain(shop(), 6);
    const refusal = await shop().refused("customer/create", {
      identifier: "ada",
      parents: [customer(fifth)],
    });
    expect(refusal).toMatchObject({
      name: "ValidationError",
      errors: [{ path: ["parents", 0, "identifier"] }],
    });
    expect(refusal.message).toMatch(/6 levels.*limit is 5/);
  });

  test("the parent of a customer may be a group with the same identifier", async () => {
    await shop().done("customer/group/create", { identifier: "ada" });
    const result = await shop().done("customer/create", { identifier: "ada", parents: [group("ada")] });
    expect(result.action).toBe("created");
  });

  test("the parent of a customer may be created in the same batch", async () => {
    const outcomes = await shop().batch([
      ["customer/group/create", { identifier: "north" }],
      ["customer/create", { identifier: "firm", parents: [group("north")] }],
      ["customer/create", { identifier: "ada", parents: [customer("firm"), group("north")] }],
    ]);
    expect(outcomesOf(outcomes)).toBe("created created created");
  });

  test("the parents of a customer are loaded with the batch, and so are those above them", async () => {
    const lowest = await chain(shop(), 4);
    await shop().done("customer/create", { identifier: "ada", parents: [customer(lowest)] });
    expect(shop().statements.execute).toBe(0);
  });
});

describeOnEngines("an update of a customer", (shop) => {
  beforeEach(() => shop().done("customer/create", everything));

  test.each(changes)("%s that changes nothing writes nothing", async (intent) => {
    const before = await shop().get(customers, "ada");
    const output = { identifier: "ada", email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" };
    expect(await shop().done(intent, everything)).toEqual({ action: "unchanged", output });
    expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    expect(await shop().get(customers, "ada")).toEqual(before);
  });

  test.each(changes)("%s keeps fields of a customer that are not sent", async (intent) => {
    const before = await shop().get(customers, "ada");
    await nextMillisecond();
    const { action, output } = await shop().done(intent, { identifier: "ada", firstName: "Augusta" });
    expect([action, output.firstName, output.lastName]).toEqual(["updated", "Augusta", "Lovelace"]);
    const after = await shop().get(customers, "ada");
    expect(after).toEqual({ ...before, firstName: "Augusta", updatedAt: after?.updatedAt });
    expect(after?.updatedAt).not.toBe(before?.updatedAt);
  });

  describe("null", () => {
    const fields = Object.keys(everything).filter((field) => field !== "identifier");
    const lists = ["externalReferences", "meta", "addresses"];

    test.each(fields)("null clears the %s of a customer", async (field) => {
      await shop().done("customer/update", { identifier: "ada", [field]: null });
      const cleared = lists.includes(field) ? [] : field === "type" ? "individual" : null;
      expect(await shop().get(customers, "ada")).toMatchObject({ ...everything, [field]: cleared });
    });
  });

  test("an update of a customer replaces a list that is sent", async () => {
    await shop().done("customer/upsert", { identifier: "ada", meta: [{ key: "a" }], addresses: [] });
    expect(await shop().get(customers, "ada")).toMatchObject({
      ...{ meta: [{ key: "a" }], addresses: [] },
      externalReferences: everything.externalReferences,
    });
  });

  test("parents: null takes a customer's parents away", async () => {
    await shop().done("customer/group/create", { identifier: "north" });
    await shop().done("customer/update", { identifier: "ada", parents: [group("north")] });
    expect((await shop().get(customers, "ada"))?.parents).toEqual([group("north")]);
    await shop().done("customer/update", { identifier: "ada", parents: null });
    expect((await shop().get(customers, "ada"))?.parents).toEqual([]);
  });
});
