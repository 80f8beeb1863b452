import { getIntrospectionQuery } from "graphql";
import { expect, test } from "vitest";
import {
  answerLimits,
  maximumAliases,
  maximumDepth,
  maximumNumberSigns,
  maximumRelated,
} from "../../src/graphql/validation/query-limits.ts";
import { useItemsApi } from "./items-api.ts";

const api = useItemsApi();

const refused = async (query: string, variables?: Record<string, unknown>) => {
  const { status, body } = await api.ask(query, variables);
  expect(body.message).toBe(body.errors[0].message);
  return [status, body.errors[0].extensions.code, body.message];
};

const itemsWithChildren = (declared: string, first: string) =>
  `query ${declared} { items(language: "en", first: 1000) { ... on BasicError { error } ... on ItemConnection { edges { node {
     ... on Folder { children(first: ${first}) { edges { node { name } } } } } } } } }`;

test("a query cannot ask for more values than the limit, however the size of the pages is given", async () => {
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

test("a list that a query asks for several times costs as much each time, through fragments too", async () => {
  const page = `shapes(first: 1000) { edges { node { ...Shape } } }`;
  const query = (times: number) =>
    `query { ${Array.from({ length: times }, (_, i) => `a${i}: ${page}`).join("\n")} }
     fragment Shape on Shape { components { id } variantComponents { id } }`;
  expect((await refused(query(60)))[1]).toBe("GRAPHQL_TOO_COSTLY");
  expect(Object.keys(await api.data(query(20)))).toHaveLength(20);
});

test("a query whose cost grows with every fragment is measured without opening each again", async () => {
  const levels = 40;
  const fragments = Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on Folder { a: parent { ...F${i + 1} } b: parent { ...F${i + 1} } }`,
  );
  const query = `{ folder(id: "${api.folder}", language: "en") { ... on BasicError { error } ... on Folder { ...F0 } } }
    ${fragments.join("\n")} fragment F${levels} on Folder { id }`;
  expect((await refused(query))[1]).toBe("GRAPHQL_TOO_COSTLY");
});

const customers = (selection: string, rest = "") =>
  `{ customers(first: 1000) { ... on CustomerConnection { ${selection} } ... on BasicError { error } } } ${rest}`;
const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(" ");

test("every field costs as much under each of its aliases, in fragments too, as its list has entries", async () => {
  const fields = aliases(300, "firstName");
  for (const query of [
    customers(`edges { node { ${fields} } }`),
    customers("edges { node { ...F } }", `fragment F on Customer { ${fields} }`),
    customers("edges { node { ... on Customer { ...F } } }", `fragment F on Customer { ${fields} }`),
    customers(
      "...C",
      `fragment C on CustomerConnection { edges { node { ${aliases(300, "__typename")} } } }`,
    ),
  ])
    expect((await refused(query))[1]).toBe("GRAPHQL_TOO_COSTLY");
});

test("skipped fields, and the fields that a list has only once, are not multiplied by its entries", async () => {
  const fields = aliases(300, "firstName");
  const skipped = customers(`edges { node { identifier ... @include(if: false) { ${fields} } } }`);
  expect(await api.data(skipped)).toHaveProperty("customers.edges");
  expect(await api.data(customers(`${aliases(300, "totalCount")} edges { cursor }`))).toBeTruthy();
});

test("values the estimate cannot know are counted while answering: lists of any length, and long texts", async () => {
  const cart = Array.from({ length: 500 }, (_, i) => ({ name: `Line ${i}`.padEnd(2_000, "x"), quantity: 1 }));
  const { registerOrder } = await api.data(
    `mutation ($cart: [OrderItemInput!]!) { registerOrder(input: { customer: { identifier: "ada" }, cart: $cart }) {
       ... on OrderConfirmation { id } ... on BasicError { error } } }`,
    { cart },
  );
  const order = (lines: string) =>
    `{ order(id: "${registerOrder.id}") { ... on Order { cart { ${lines} } } ... on BasicError { error } } }`;
  const [values, characters] = [
    await refused(order(aliases(900, "quantity"))),
    await refused(order(aliases(30, "name"))),
  ];
  expect(values).toEqual([
    ...[400, "GRAPHQL_TOO_COSTLY"],
    expect.stringContaining(`more than the limit of ${answerLimits.values} values`),
  ]);
  expect(characters[2]).toContain(`longer than the limit of ${answerLimits.characters} characters`);
  expect((await refused(order(aliases(900, "__typename"))))[2]).toBe(values[2]);
  expect((await api.field(order(aliases(10, "name")))).cart).toHaveLength(500);
});

test("mutations whose answers grow too large end, and name those that were executed", async () => {
  const [status, , message] = await refused(
    `mutation { ${Array.from({ length: 40 }, (_, i) => `m${i}: upsertCustomer(identifier: "big${i}", input: { firstName: "${"x".repeat(20_000)}" }) { ... on Customer { ${aliases(24, "firstName")} } ... on BasicError { error } }`).join(" ")} }`,
  );
  const last = Number(/The mutations up to "m(\d+)" were executed, and nothing after it/.exec(message)?.[1]);
  expect([status, last]).toEqual([400, 34]);
  const written = await api.data(customers("edges { node { identifier } }"));
  expect(
    written.customers.edges.filter(({ node }: { node: { identifier: string } }) =>
      node.identifier.startsWith("big"),
    ),
  ).toHaveLength(35);
});

test("the schema can be introspected, but not in any number of values", async () => {
  expect(await api.data(getIntrospectionQuery())).toHaveProperty("__schema.types");
  expect((await refused(`{ __schema { types { ${aliases(900, "name")} } } }`))[1]).toBe("GRAPHQL_TOO_COSTLY");
});

test("fragments count as nesting in a query", async () => {
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

test("a query may have at most the limit of aliases", async () => {
  const query = (aliases: number) =>
    `{ tenant { ${Array.from({ length: aliases }, (_, i) => `a${i}: id`).join(" ")} } }`;
  expect(await refused(query(maximumAliases + 1))).toEqual([
    ...[400, "GRAPHQL_TOO_MANY_ALIASES"],
    `The query has ${maximumAliases + 1} aliases; the limit is ${maximumAliases}.`,
  ]);
  expect(Object.keys(await api.field(query(maximumAliases)))).toHaveLength(maximumAliases);
});

test("a query with more comments than the limit is refused before the parser keeps them", async () => {
  const query = (signs: number) => `{ tenant { id } }${"\n#".repeat(signs)}`;
  expect(await refused(query(maximumNumberSigns + 1))).toEqual([
    ...[400, "GRAPHQL_TOO_MANY_COMMENTS"],
    `The query has ${maximumNumberSigns + 1} number signs (#); the limit is ${maximumNumberSigns}. Send texts as variables.`,
  ]);
  expect(await api.data(query(maximumNumberSigns))).toHaveProperty("tenant");
});

test("relations that go in a circle are followed up to a limit", { tags: "release" }, async () => {
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
