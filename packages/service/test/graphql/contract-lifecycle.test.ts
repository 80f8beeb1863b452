import { beforeAll, describe, expect, test } from "vitest";
import { monthly, subscriptionPlans, yearly } from "../commands/subscription-contract/support.ts";
import { useApi } from "../http/support.ts";
import { storeSettings } from "../support/settings.ts";

type Step = "cancel" | "pause" | "resume" | "renew";

const steps: readonly Step[] = ["cancel", "pause", "resume", "renew"];
const unknownId = "65a0000000000000000000ff";
const failure = "... on BasicError { errorName message errors { path } }";
const answer = `... on SubscriptionContractAggregate {
  status { state activateAt activeUntil renewAt phase { price } } } ${failure}`;
const running = 'status: {activeUntil: "2999-02-01", renewAt: "2999-01-31"}';
const at = (day: string | null) => day && `${day}T00:00:00.000Z`;

describe("the life of a subscription contract", () => {
  const create = async (more: string, period = monthly, recurring = "") => {
    const { made } = await api.data(
      `mutation { made: createSubscriptionContract(input: {customerIdentifier: "ada", item: {sku: "beans"},
         subscriptionPlan: {identifier: "coffee", periodId: "${period}", periodName: "Coffee"},
         recurring: {currency: "EUR", price: 10, ${recurring}}, ${more}}) {
           ... on SubscriptionContractAggregate { id } ${failure} } }`,
    );
    expect(made).toEqual({ id: expect.any(String) });
    return made.id as string;
  };

  const called = (step: Step, id: string, input = "") =>
    `mutation { it: ${step}SubscriptionContract(subscriptionContractId: "${id}"${input}) { ${answer} } }`;
  const take = (step: Step, id: string, input = "") => api.field(called(step, id, input));
  const update = (id: string, input: string) =>
    api.field(
      `mutation { it: updateSubscriptionContract(subscriptionContractId: "${id}", input: {${input}}) { ${answer} } }`,
    );
  const read = (id: string) =>
    api.field(
      `{ it: subscriptionContract(id: "${id}") { ... on SubscriptionContractAggregate { updatedAt } ${answer} } }`,
    );
  const state = (name: string) => ({ status: { state: name } });
  const period = (activeUntil: string | null, renewAt: string | null) => ({
    status: { activateAt: null, activeUntil: at(activeUntil), renewAt: at(renewAt) },
  });
  const now = ", input: {deactivate: true}";

  const api = useApi();
  beforeAll(async () => {
    await storeSettings({ database: api.database, tenant: api.shop.tenant }, { subscriptionPlans });
    await api.data(`mutation {
      shape: createShape(input: {identifier: "goods", name: "Goods", type: product}) { ... on Shape { name } ${failure} }
      product: upsertProduct(language: "en", input: {shapeIdentifier: "goods", name: "Goods",
        variants: [{sku: "beans", name: "Beans"}]}) { ... on Product { id } ${failure} }
      customer: createCustomer(input: {identifier: "ada"}) { ... on Customer { identifier } ${failure} } }`);
  });

  test.each(steps)("%s refuses a contract that does not exist", async (step) => {
    expect(await take(step, unknownId)).toEqual({
      errorName: "SubscriptionContractNotFoundError",
      message: `There is no subscription contract with the id ${unknownId}`,
      errors: [{ path: ["subscriptionContractId"] }],
    });
  });

  test("a contract has one pause at a time, which changes no dates and ends when it is resumed", async () => {
    const id = await create(running);
    const { status } = await read(id);
    expect(await take("resume", id)).toMatchObject({ errorName: "SubscriptionContractIsNotPausedError" });
    expect(await take("pause", id)).toEqual({ status: { ...status, state: "paused" } });
    expect(await take("pause", id)).toMatchObject({ errorName: "SubscriptionContractIsAlreadyPausedError" });
    const { subscriptionContracts } = await api.data(
      `{ subscriptionContracts(filter: {state: paused}) {
           ... on SubscriptionContractConnection { edges { node { id } } } ${failure} } }`,
    );
    expect(subscriptionContracts.edges).toEqual([{ node: { id } }]);
    expect(await take("resume", id)).toEqual({ status });
    expect(await take("resume", id)).toMatchObject({ errorName: "SubscriptionContractIsNotPausedError" });
  });

  test("a contract that ended during its pause is cancelled when it is resumed", async () => {
    const id = await create('status: {activeUntil: "2020-01-01"}');
    expect(await take("pause", id)).toMatchObject(state("paused"));
    expect(await take("resume", id)).toMatchObject(state("cancelled"));
  });

  test.each([
    ["an update of its status", (id: string) => update(id, running), "active"],
    ["a renewal", (id: string) => take("renew", id), "active"],
    ["a cancellation", (id: string) => take("cancel", id), "pendingDeactivation"],
  ])("a paused contract has no pause any more after %s", async (_, end, after) => {
    const id = await create(running);
    await take("pause", id);
    expect(await update(id, 'meta: [{key: "a", value: "b"}]')).toMatchObject(state("paused"));
    expect(await end(id)).toMatchObject(state(after));
    expect(await take("resume", id)).toMatchObject({ errorName: "SubscriptionContractIsNotPausedError" });
  });

  test("an upsert keeps a pause and a cancellation, unless it has other dates", async () => {
    const id = await create(running);
    const upsert = async (status: string) => {
      const { it } = await api.data(
        `mutation { it: upsertSubscriptionContract(subscriptionContractId: "${id}", input: {customerIdentifier: "ada",
           item: {sku: "beans"}, recurring: {currency: "EUR", price: 10}, ${status},
           subscriptionPlan: {identifier: "coffee", periodId: "${monthly}", periodName: "Coffee"}}) { ${answer} } }`,
      );
      return it;
    };
    await take("pause", id);
    expect(await upsert(running)).toMatchObject(state("paused"));
    expect(await upsert('status: {activeUntil: "2999-03-01", renewAt: "2999-01-31"}')).toMatchObject(
      state("active"),
    );
    await take("cancel", id, now);
    expect(await upsert("status: {}")).toMatchObject(state("cancelled"));
    expect(await upsert(running)).toMatchObject(state("active"));
  });

  test.each(["", ", input: null", ", input: {}", ", input: {deactivate: false}"])(
    "a cancelled contract ends with its period (%s)",
    async (input) => {
      const id = await create(running);
      const cancelled = await take("cancel", id, input);
      expect(cancelled).toMatchObject(state("pendingDeactivation"));
      expect(cancelled).toMatchObject(period("2999-02-01", null));
      const before = await read(id);
      await take("cancel", id, input);
      expect(await read(id)).toEqual(before);
    },
  );

  test.each([
    ["that is deactivated", running, now],
    ["without an end", "status: {}", ""],
    ["that did not begin", 'status: {activateAt: "2999-01-01"}', ""],
  ])("a cancelled contract %s ends immediately, and is not paused afterwards", async (_, status, input) => {
    const id = await create(status);
    const cancelled = await take("cancel", id, input);
    expect(cancelled).toMatchObject(state("cancelled"));
    expect(cancelled).toMatchObject(period(null, null));
    expect(await take("pause", id)).toMatchObject({
      ...{ errorName: "ConflictError", message: expect.stringContaining("is cancelled") },
    });
    expect(await take("cancel", id, input)).toEqual(cancelled);
    expect(await update(id, running)).toMatchObject(state("active"));
  });

  test("a contract cannot be renewed before it begins", async () => {
    const id = await create('status: {activateAt: "2999-01-01"}');
    expect(await take("renew", id)).toMatchObject({
      ...{ errorName: "ConflictError", message: expect.stringContaining("2999-01-01") },
    });
  });

  test("a contract cannot be renewed beyond the year 9999", async () => {
    const id = await create('status: {activeUntil: "9999-12-31"}');
    expect(await take("renew", id)).toMatchObject({ errorName: "ValidationError" });
  });

  test("renewing adds a period to the dates of a contract, and ends its initial phase", async () => {
    const id = await create(`${running}, initial: {currency: "EUR", price: 0, period: 14, unit: day}`);
    expect((await read(id)).status.phase).toEqual({ price: 0 });
    const renewed = await take("renew", id);
    expect(renewed).toMatchObject(period("2999-03-01", "2999-02-28"));
    expect(renewed).toMatchObject({ status: { state: "active", phase: { price: 10 } } });
    expect(await take("renew", id)).toMatchObject(period("2999-04-01", "2999-03-28"));
  });

  test.each([
    ["its end, when it was to end", 'status: {activeUntil: "2999-02-01"}', "2999-03-01"],
    ["its end, though that is past", 'status: {activeUntil: "2020-02-01"}', "2020-03-01"],
    ["its beginning, when it has no other date", 'status: {activateAt: "2020-05-01"}', "2020-06-01"],
  ])("a contract is renewed from %s", async (_, status, to) => {
    const renewed = await take("renew", await create(status));
    expect(renewed).toMatchObject(period(to, to));
    expect(renewed).toMatchObject(state("active"));
  });

  test("a contract without a date is renewed from now, even after it was cancelled", async () => {
    const id = await create("status: {}");
    await take("cancel", id);
    const began = Date.now();
    const { status } = await take("renew", id);
    expect(status).toMatchObject({ state: "active", activeUntil: status.renewAt });
    const days = (Date.parse(status.renewAt) - began) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(28);
    expect(days).toBeLessThan(32);
  });

  test.each([
    ["its own period", monthly, "period: 2, unit: week", "2999-02-15"],
    ["that of its plan, where it has none", yearly, "", "3000-02-01"],
    ["the unit of its plan, where it has none", yearly, "period: 3", "3002-02-01"],
  ])("a contract is renewed by %s", async (_, of, recurring, to) => {
    const id = await create('status: {activeUntil: "2999-02-01"}', of, recurring);
    expect(await take("renew", id)).toMatchObject(period(to, to));
  });

  describe("of which the usage is tracked", () => {
    const track = (id: string, input: Record<string, unknown>) =>
      api.field(
        `mutation ($id: ID!, $input: TrackSubscriptionContractUsageInput!) {
             it: trackSubscriptionContractUsage(subscriptionContractId: $id, input: $input) {
               ... on SubscriptionContractUsage { id createdAt } ${failure} } }`,
        { id, input: { meteredVariableIdentifier: "cups", quantity: 1, ...input } },
      );
    const usage = async (id: string, window = "") => {
      const fields = `usage${window} { meteredVariableIdentifier quantity }`;
      const { it } = await api.data(
        `{ it: subscriptionContract(id: "${id}") { ... on SubscriptionContractAggregate { ${fields} } ${failure} } }`,
      );
      return it.usage;
    };

    test.each([
      ["an unknown contract", {}, "SubscriptionContractNotFoundError", "subscriptionContractId", unknownId],
      [
        "the id of a metered variable",
        { meteredVariableIdentifier: "c".repeat(24) },
        ...["MeteredVariableNotFoundError", "input.meteredVariableIdentifier", 'it has "cups"'],
      ],
      ["a quantity below zero", { quantity: -1 }, "ValidationError", "input.quantity", "-1"],
      ["a quantity beyond the limit", { quantity: 2e9 }, "ValidationError", "input.quantity", "1000000000"],
      ["an empty key", { idempotencyKey: "" }, "ValidationError", "input.idempotencyKey", "at least 1"],
      [
        "a long key",
        { idempotencyKey: "x".repeat(513) },
        ...["ValidationError", "input.idempotencyKey", "at most 512"],
      ],
      [
        "a long description",
        { description: "x".repeat(1025) },
        ...["ValidationError", "input.description", "at most 1024"],
      ],
    ] as [string, object, string, string, string][])(
      "tracking usage refuses %s and records nothing",
      async (what, input, errorName, path, message) => {
        const id = await create(running);
        const refusal = await track(what === "an unknown contract" ? unknownId : id, { ...input });
        expect(refusal).toEqual({
          ...{ errorName, message: expect.stringContaining(message) },
          errors: [{ path: path.split(".") }],
        });
        expect(await usage(id)).toEqual([]);
      },
    );

    test("tracking usage records nothing twice under one key, of whichever contract", async () => {
      const [id, other] = [await create(running), await create(running)];
      const many = await Promise.all(
        Array.from({ length: 4 }, () => track(id, { idempotencyKey: "monday" })),
      );
      expect(many.filter((one) => "id" in one)).toHaveLength(1);
      const refusals = [
        ...many.filter((one) => !("id" in one)),
        await track(other, { idempotencyKey: "monday" }),
      ];
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ errorName: "IdempotencyKeyExistsError" });
      expect(refusals).toHaveLength(4);
      expect(await usage(id)).toEqual([{ meteredVariableIdentifier: "cups", quantity: 1 }]);
      expect(await usage(other)).toEqual([]);
    });

    test("tracked usage is summed exactly in a window of time, also for a cancelled contract", async () => {
      const id = await create(running);
      await take("cancel", id, now);
      const { createdAt } = await track(id, { quantity: 0.1 });
      for (const description of ["second", null]) await track(id, { quantity: 0.1, description });
      const sum = [{ meteredVariableIdentifier: "cups", quantity: 0.3 }];
      expect(await usage(id)).toEqual(sum);
      expect(await usage(id, `(startDate: "${createdAt}", endDate: "2999-01-01")`)).toEqual(sum);
      expect(await usage(id, `(endDate: "${createdAt}")`)).toEqual([]);
      expect(await usage(id, '(startDate: "2999-01-01")')).toEqual([]);
    });

    test("tracked usage cannot be read in a window that is not made of dates", async () => {
      const id = await create(running);
      const { body } = await api.ask(
        `{ subscriptionContract(id: "${id}") { ... on SubscriptionContractAggregate {
             usage(startDate: "soon") { quantity } } ${failure} } }`,
      );
      expect(body.errors).toMatchObject([
        { message: expect.stringContaining('"soon" is not a date'), extensions: { code: "ValidationError" } },
      ]);
    });
  });
});
