import { describe, expect, test } from "vitest";
import { useApi } from "../http/support.ts";

const failure = "... on BasicError { errorName message errors { path } }";

/** One valid entry of each list: the input of its create, and the fields its type shows. */
const entries = [
  ["Language", "languages", "code", { code: "no-nb", name: "Norwegian" }],
  ["VatType", "vatTypes", "id", { id: "65a0000000000000000000aa", name: "Food", percent: 12.5 }],
  ["PriceVariant", "priceVariants", "identifier", { identifier: "b2b", name: "Business", currency: "USD" }],
  [
    "StockLocation",
    "stockLocations",
    "identifier",
    { identifier: "oslo", name: "Oslo", settings: { minimum: -10, unlimited: false } },
  ],
  ["Market", "markets", "identifier", { identifier: "eu", name: "Europe" }],
  [
    "SubscriptionPlan",
    "subscriptionPlans",
    "identifier",
    {
      identifier: "coffee",
      name: "Coffee",
      periods: [
        {
          id: "65a0000000000000000000b1",
          name: "Monthly",
          initial: { period: 1, unit: "week" },
          recurring: { period: 1, unit: "month" },
        },
      ],
      meteredVariables: [{ id: "65a0000000000000000000b2", identifier: "cups", name: "Cups", unit: "cup" }],
    },
  ],
  [
    "Pipeline",
    "pipelines",
    "id",
    {
      id: "65a0000000000000000000c1",
      name: "Fulfilment",
      stages: [
        { id: "65a0000000000000000000c2", name: "New" },
        { id: "65a0000000000000000000c3", name: "Packed" },
      ],
    },
  ],
] as const;

const lower = (name: string) => `${name[0]?.toLowerCase()}${name.slice(1)}`;

const selectionOf = (value: object): string =>
  Object.entries(value)
    .map(([field, member]) => {
      const inner = Array.isArray(member) ? member[0] : member;
      return typeof inner === "object" ? `${field} { ${selectionOf(inner)} }` : field;
    })
    .join(" ");

describe("the settings of a tenant", () => {
  const api = useApi();

  const keyType = (key: string) => (key === "id" ? "ID!" : "String!");

  const create = (type: string, input: object, selection = "name") =>
    api.field(
      `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { ... on ${type} { ${selection} } ${failure} } }`,
      { input },
    );
  const update = (type: string, key: string, value: string, input: object, selection = "name") =>
    api.field(
      `mutation ($key: ${keyType(key)}, $input: Update${type}Input!) { made: update${type}(${key}: $key, input: $input) {
         ... on ${type} { ${selection} } ${failure} } }`,
      { key: value, input },
    );
  const remove = (type: string, key: string, value: string) =>
    api.field(
      `mutation ($key: ${keyType(key)}) { gone: delete${type}(${key}: $key) { ... on DeleteCount { removed } ${failure} } }`,
      { key: value },
    );
  const read = (type: string, key: string, value: string, selection = "name") =>
    api.field(
      `query ($key: ${keyType(key)}) { found: ${lower(type)}(${key}: $key) { ... on ${type} { ${selection} } ${failure} } }`,
      { key: value },
    );
  const list = (type: string, list: string, selection = "name", given = "") =>
    api.field(`{ found: ${list}${given} { ... on ${type}Connection {
           totalCount pageInfo { hasNextPage endCursor } edges { node { ${selection} } } } ${failure} } }`);
  const nodes = (connection: { edges: { node: object }[] }) => connection.edges.map(({ node }) => node);

  describe("are refused", () => {
    test.each([
      ["Language", { code: "english!", name: "English" }, "code", "is not a language code"],
      ["Language", { code: "nn", name: "" }, "name", "needs 1 to 256"],
      ["VatType", { name: "Negative", percent: -1 }, "percent", "from 0 to 1000"],
      ["VatType", { id: "abc", name: "Food", percent: 1 }, "id", '"abc" is not an id'],
      ["PriceVariant", { identifier: "", name: "A", currency: "EUR" }, "identifier", "needs 1 to 64"],
      ["PriceVariant", { identifier: "a", name: "A", currency: "EUREUREUREU" }, "currency", "needs 1 to 10"],
      ["Market", { identifier: "m".repeat(65), name: "A" }, "identifier", "has 65 characters"],
      ["Pipeline", { name: "Empty", stages: [] }, "stages", "stages lists 0; it needs 1 to 100"],
      ["SubscriptionPlan", { identifier: "p", name: "P", periods: [] }, "periods", "it needs 1 to 50"],
    ])("a setting of type %s refuses %j", async (type, input, field, message) => {
      const refusal = await create(type, input);
      expect(refusal).toMatchObject({ errorName: "ValidationError" });
      expect(refusal.message).toContain(message);
      expect(refusal.errors[0].path.slice(0, 2)).toEqual(["input", field]);
    });

    test("a period of no length, and a variable listed twice, are refused", async () => {
      const variable = { identifier: "cups", name: "Cups", unit: "cup" };
      const refusal = await create("SubscriptionPlan", {
        ...{ identifier: "p", name: "P", meteredVariables: [variable, variable] },
        periods: [{ name: "Never", recurring: { period: 0, unit: "day" } }],
      });
      expect(refusal.errors).toEqual([
        { path: ["input", "meteredVariables", 1, "identifier"] },
        { path: ["input", "periods", 0, "recurring", "period"] },
      ]);
    });
  });

  describe.each(entries)("of the type %s", (type, listName, key, entry) => {
    const value = (entry as Record<string, unknown>)[key] as string;
    const selection = selectionOf(entry);

    test("an unknown setting is refused, and the nearest is named", async () => {
      const refusal = await read(type, key, value);
      expect(refusal).toMatchObject({ errorName: "SettingNotFoundError", errors: [{ path: [key] }] });
      expect(refusal.message).toMatch(/; (it has none|it has "|did you mean ")/);
      expect(await update(type, key, value, { name: "A" })).toMatchObject({
        errorName: "SettingNotFoundError",
      });
      expect(await remove(type, key, value)).toMatchObject({ errorName: "SettingNotFoundError" });
    });

    test("a setting is created once, shown, listed behind the default, changed and deleted", async () => {
      const before = await list(type, listName);
      expect(await create(type, entry, selection)).toEqual(entry);
      expect(await create(type, entry)).toMatchObject({
        errorName: "SettingTakenError",
        errors: [{ path: ["input", key] }],
      });
      expect(await read(type, key, value, selection)).toEqual(entry);
      const after = await list(type, listName, selection);
      expect([after.totalCount, nodes(after).at(-1)]).toEqual([before.totalCount + 1, entry]);

      expect(await update(type, key, value, {}, selection)).toEqual(entry);
      const changed = { ...entry, name: "Renamed" };
      expect(await update(type, key, value, { name: "Renamed" }, selection)).toEqual(changed);
      expect(await read(type, key, value, selection)).toEqual(changed);
      const { tenant } = await api.data(`{ tenant { ${listName} { ${selection} } } }`);
      expect(tenant[listName].at(-1)).toEqual(changed);

      expect(await remove(type, key, value)).toEqual({ removed: 1 });
      expect(await remove(type, key, value)).toMatchObject({ errorName: "SettingNotFoundError" });
      expect((await list(type, listName)).totalCount).toBe(before.totalCount);
    });
  });

  test("settings are listed page by page, and a cursor of another list is refused by name", async () => {
    for (const identifier of ["n1", "n2", "n3"]) await create("Market", { identifier, name: identifier });
    const first = await list("Market", "markets", "identifier", "(first: 2)");
    expect([nodes(first), first.pageInfo.hasNextPage]).toEqual([
      [{ identifier: "n1" }, { identifier: "n2" }],
      true,
    ]);
    const next = await list("Market", "markets", "identifier", `(after: "${first.pageInfo.endCursor}")`);
    expect([nodes(next), next.pageInfo.hasNextPage]).toEqual([[{ identifier: "n3" }], false]);
    expect(await list("Market", "markets", "name", '(after: "abc")')).toMatchObject({
      errorName: "ValidationError",
      errors: [{ path: ["after"] }],
    });
  });

  test("a tenant keeps one language, and lists the chosen default first", async () => {
    expect(await remove("Language", "code", "en")).toMatchObject({
      errorName: "SettingInUseError",
      message: '"en" is the only language of the tenant, which needs one',
    });
    await create("Language", { code: "de", name: "German", isDefault: true }, "isDefault");
    const defaults = async () => (await api.field("{ tenant { defaults { language currency } } }")).defaults;
    expect(await defaults()).toEqual({ language: "de", currency: "EUR" });
    expect(await read("Language", "code", "en", "isDefault")).toEqual({ isDefault: false });
    await update("Language", "code", "en", { isDefault: true });
    expect(await defaults()).toEqual({ language: "en", currency: "EUR" });
    expect(await remove("Language", "code", "de")).toEqual({ removed: 1 });
  });

  test("periods, variables and stages sent again by their names keep their ids", async () => {
    const plan = { identifier: "tea", name: "Tea" };
    const periods = [{ name: "Weekly", recurring: { period: 1, unit: "week" } }];
    const meteredVariables = [{ identifier: "pots", name: "Pots", unit: "pot" }];
    const ids = "periods { id } meteredVariables { id }";
    const made = await create("SubscriptionPlan", { ...plan, periods, meteredVariables }, ids);
    expect(made.periods[0].id).toMatch(/^[0-9a-f]{24}$/);
    const changed = {
      periods: [...periods, { name: "Daily", recurring: { period: 1, unit: "day" } }],
      meteredVariables,
    };
    const next = await update("SubscriptionPlan", "identifier", "tea", changed, ids);
    expect(next).toEqual({
      periods: [made.periods[0], { id: expect.any(String) }],
      meteredVariables: made.meteredVariables,
    });
    expect(next.periods[1].id).not.toBe(made.periods[0].id);
  });

  test("concurrent writers change settings without losing a change", async () => {
    const names = Array.from({ length: 8 }, (_, i) => `many-${i}`);
    await Promise.all(names.map((identifier) => create("StockLocation", { identifier, name: identifier })));
    const { tenant } = await api.data("{ tenant { stockLocations { identifier } } }");
    const identifiers = tenant.stockLocations.map((location: { identifier: string }) => location.identifier);
    expect(identifiers.slice(1).sort()).toEqual(names);
  });

  test("later mutations of a request can use settings that earlier ones create", async () => {
    const data = await api.data(
      `mutation {
         language: createLanguage(input: {code: "fr", name: "French"}) { ... on Language { code } ${failure} }
         shape: createShape(input: {identifier: "shelf", name: "Shelf", type: folder}) { ... on Shape { name } ${failure} }
         folder: createFolder(language: "fr", input: {
           shapeIdentifier: "shelf", name: "Livres", tree: {parentId: "${api.shop.tenant.rootItemId}"}}) {
           ... on Folder { name language } ${failure} } }`,
    );
    expect(data.folder).toEqual({ name: "Livres", language: "fr" });
    expect(await remove("Language", "code", "fr")).toMatchObject({
      message: 'There are items with the language "fr"; change or delete them first',
    });
  });
});
