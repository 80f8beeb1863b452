import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestPglite } from "../../../../test/support/engines.ts";
import {
  answerLimits,
  maximumAliases,
  maximumDepth,
  maximumNumberSigns,
  maximumRelated,
} from "../../src/graphql/limits.ts";
import { type ItemsApi, openItemsApi } from "./items-api.ts";

let api: ItemsApi;
beforeAll(async () => {
  api = await openItemsApi(openTestPglite);
});
afterAll(() => api.close());

const refused = async (query: string, variables?: Record<string, unknown>) => {
  const { status, body } = await api.ask(query, variables);
  expect(body.message).toBe(body.errors[0].message);
  return [status, body.errors[0].extensions.code, body.message];
};

const itemsWithChildren = (declared: string, first: string) =>
  `query ${declared} { items(language: "en", first: 1000) { ... on BasicError { error } ... on ItemConnection { edges { node {
     ... on Folder { children(first: ${first}) { edges { node { name } } } } } } } } }`;

test("more values than the limit are not asked for, however the size of the pages is given", async () => {
  const expected = [
    400,
    "GRAPHQL_TOO_COSTLY",
    expect.stringContaining(`the limit is ${answerLimits.values}`),
  ];
  expect(await refused(itemsWithChildren("", "100"))).toEqual(expected);
  expect(await refused(itemsWithChildren("($n: Int)", "$n"), { n: 1000 })).toEqual(expected);
  expect(await refused(itemsWithChildren("($n: Int = 1000)", "$n"))).toEqual(expected);
  expect(await refused(itemsWithChildren("($n: Int)", "$n"))).toEqual(expected);
  expect(await api.data(itemsWithChildren("($n: Int = 1000)", "$n"), { n: 10 })).toHaveProperty(
    "items.edges",
  );
});

test("a list that is asked for many times counts as often, through fragments too", async () => {
  const page = `shapes(first: 1000) { edges { node { ...Shape } } }`;
  const query = (times: number) =>
    `query { ${Array.from({ length: times }, (_, i) => `a${i}: ${page}`).join("\n")} }
     fragment Shape on Shape { components { id } variantComponents { id } }`;
  expect((await refused(query(60)))[1]).toBe("GRAPHQL_TOO_COSTLY");
  expect(Object.keys(await api.data(query(20)))).toHaveLength(20);
});

test("a cost that grows with every fragment is found without opening each of them again and again", async () => {
  const levels = 40;
  const fragments = Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on Folder { a: parent { ...F${i + 1} } b: parent { ...F${i + 1} } }`,
  );
  const query = `{ folder(id: "${api.folder}", language: "en") { ... on BasicError { error } ... on Folder { ...F0 } } }
    ${fragments.join("\n")} fragment F${levels} on Folder { id }`;
  expect((await refused(query))[1]).toBe("GRAPHQL_TOO_COSTLY");
});

test("what is nested by fragments counts as nested", async () => {
  const levels = maximumDepth;
  const fragments = Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on Folder { parent { ...F${i + 1} } }`,
  );
  const query = `{ folder(id: "${api.folder}", language: "en") { ... on BasicError { error } ... on Folder { ...F0 } } }
    ${fragments.join("\n")} fragment F${levels} on Folder { id }`;
  expect(await refused(query)).toEqual([
    ...[400, "GRAPHQL_NESTED_TOO_DEEPLY"],
    `The query is nested deeper than ${maximumDepth} levels: ${levels + 2}, with its fragments opened.`,
  ]);
});

test("more aliases than the limit are refused, the limit is not", async () => {
  const query = (aliases: number) =>
    `{ tenant { ${Array.from({ length: aliases }, (_, i) => `a${i}: id`).join(" ")} } }`;
  expect(await refused(query(maximumAliases + 1))).toEqual([
    ...[400, "GRAPHQL_TOO_MANY_ALIASES"],
    `The query has ${maximumAliases + 1} aliases; the limit is ${maximumAliases}.`,
  ]);
  expect(Object.keys((await api.data(query(maximumAliases))).tenant)).toHaveLength(maximumAliases);
});

test("more comments than the limit are refused before the parser keeps each of them", async () => {
  const query = (signs: number) => `{ tenant { id } }${"\n#".repeat(signs)}`;
  expect(await refused(query(maximumNumberSigns + 1))).toEqual([
    ...[400, "GRAPHQL_TOO_MANY_COMMENTS"],
    `The query has ${maximumNumberSigns + 1} number signs (#); the limit is ${maximumNumberSigns}. Send texts as variables.`,
  ]);
  expect(await api.data(query(maximumNumberSigns))).toHaveProperty("tenant");
});

test("relations that go in a circle are followed up to a limit", async () => {
  const itemId = await api.create("createDocument", {
    ...{ shapeIdentifier: "document", name: "Mirror", tree: { parentId: api.folder } },
  });
  const component = { componentId: "itemRelations", itemRelations: { itemIds: Array(75).fill(itemId) } };
  await api.data(
    `mutation ($component: ComponentInput!) { updateComponent(itemId: "${itemId}", language: "en", component: $component) {
       ... on UpdatedComponent { item { id } } ... on BasicError { error } } }`,
    { component },
  );
  const related = (inner: string) =>
    `component(id: "itemRelations") { content { ... on ItemRelationsComponentContent { items { ${inner} } } } }`;
  const two = await api.item(`id: "${itemId}", language: "en"`, related(related("id")));
  expect(two.component.content.items[74].component.content.items).toHaveLength(75);
  const { body } = await api.ask(
    `{ item(id: "${itemId}", language: "en") { ... on Item { ${related(related(related("id")))} } ... on BasicError { error } } }`,
  );
  expect(body.errors[0]).toMatchObject({
    message: expect.stringContaining(`more than ${maximumRelated} related items`),
    extensions: { code: "ValidationError" },
  });
});
