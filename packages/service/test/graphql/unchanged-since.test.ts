import { describe, expect, test } from "vitest";
import { mutations } from "../../src/graphql/entities.ts";
import { useItemsApi } from "./items-api.ts";

const failure = "... on BasicError { errorName message errors { path } }";

/** The selection of a mutation's answer. */
function answer(field: string): string {
  const name = field.slice(0, field.indexOf("("));
  const row = Object.values(mutations).find(({ mutation }) => mutation === name);
  return `{ ... on ${row?.result.type.name} { __typename } ${failure} }`;
}

describe("ifUnchangedSince", () => {
  const api = useItemsApi();
  const mutate = (field: string) => api.field(`mutation { it: ${field} ${answer(field)} }`);
  const done = async (field: string) => expect((await mutate(field)).errorName, field).toBeUndefined();
  const refused = async (field: string, named: string) =>
    expect(await mutate(field), field).toMatchObject({
      errorName: "ChangedSinceError",
      message: expect.stringContaining(named),
    });
  const types = {
    item: "Product",
    productVariant: "ProductVariant",
    topic: "Topic",
    flow: "Flow",
    priceList: "PriceList",
  };
  const timeOf = async (kind: keyof typeof types, given: string): Promise<string> =>
    (await api.field(`{ it: ${kind}(${given}) { ... on ${types[kind]} { updatedAt } ${failure} } }`))
      .updatedAt;
  const since = (time: string) => `ifUnchangedSince: "${time}"`;
  const item = (id: string, language = "en") => timeOf("item", `id: "${id}", language: "${language}"`);
  const variant = (sku: string) => timeOf("productVariant", `sku: "${sku}", language: "en"`);

  test("is a time with its zone, which mutations that create or write no times don't take", async () => {
    await api.product("Zone");
    for (const time of ["2026-01-31", "2026-01-31T12:00:00", "2026-02-30T12:00:00Z", "{{ now }}", ""])
      expect(await mutate(`deleteProductVariant(sku: "Zone", ${since(time)})`), time).toMatchObject({
        errorName: "ValidationError",
        errors: [{ path: ["ifUnchangedSince"] }],
      });
    for (const field of [
      'createCustomer(input: {identifier: "c"}, ifUnchangedSince: "2026-01-31T12:00:00Z")',
      'upsertLanguage(code: "en", input: {name: "English"}, ifUnchangedSince: "2026-01-31T12:00:00Z")',
    ]) {
      const { body } = await api.ask(`mutation { it: ${field} ${answer(field)} }`);
      expect(body.errors[0].message).toContain('Unknown argument "ifUnchangedSince"');
    }
  });

  test("takes what is read of an item in a language, also once published, until that is changed", async () => {
    const id = await api.product("Lamp");
    const update = (language: string, name: string, time?: string) =>
      `updateProduct(id: "${id}", language: "${language}", input: {name: "${name}"}, ${time ? since(time) : ""})`;
    await done('upsertLanguage(code: "no", input: {name: "Norwegian"})');
    await done(update("no", "Lampe"));
    const read = await item(id);
    await done(`publishItem(id: "${id}", language: "en", ${since(read)})`);
    expect(await item(id)).toBe(read);
    await done(`publishItem(id: "${id}", language: "en", ${since(read)})`);
    await done(update("no", "Lampa"));
    await done(update("en", "Lamp 2", read));
    for (const field of [
      update("en", "Lamp 3", read),
      `publishItem(id: "${id}", language: "en", ${since(read)})`,
    ])
      await refused(field, `The item ${id} in "en" was changed at ${await item(id)}, after ${read}`);
    await refused(`deleteItem(itemId: "${id}", ${since(await item(id, "no"))})`, `${id} in "en"`);
    await done(`deleteItem(itemId: "${id}", ${since(await item(id))})`);
    await refused(update("en", "Lamp 4", read), "is gone, or has another key");
  });

  test("of a variant counts its price and stock, and not what happens to its siblings", async () => {
    const id = await api.product("Cup");
    await done(`addProductVariant(productId: "${id}", language: "en", input: {sku: "Mug", name: "Mug"})`);
    const [cup, mug] = [await variant("Cup"), await variant("Mug")];
    const price = (sku: string, time?: string) =>
      `modifyProductVariantPrice(sku: "${sku}", priceVariantIdentifier: "default", price: 1, ${time ? since(time) : ""})`;
    await done(price("Cup"));
    const stock = `stockLocationIdentifier: "default", operation: increase, quantity: 1`;
    await refused(
      `modifyProductVariantStock(sku: "Cup", ${stock}, ${since(cup)})`,
      'The product variant "Cup"',
    );
    const becomeDefault = 'updateProductVariant(sku: "Mug", language: "en", input: {isDefault: true}';
    await done(`${becomeDefault}, ${since(mug)})`);
    await refused(`deleteProductVariant(sku: "Cup", ${since(cup)})`, 'The product variant "Cup"');
    await done(`deleteProductVariant(sku: "Cup", ${since(await variant("Cup"))})`);
    await refused(
      `upsertProductVariant(productId: "${id}", sku: "Cup", language: "en", input: {name: "Cup"}, ${since(cup)})`,
      "gone",
    );
  });

  test("of a product with variants is the newest time of what they replace", async () => {
    const id = await api.product("Bowl");
    await done(`addProductVariant(productId: "${id}", language: "en", input: {sku: "Dish", name: "Dish"})`);
    const all = (name: string, time: string) =>
      `updateProduct(id: "${id}", language: "en", input: {variants: [{sku: "Dish", name: "${name}"}, {sku: "Bowl", name: "Bowl"}]}, ${since(time)})`;
    await refused(all("A", await item(id)), 'The product variant "Dish"');
    await done(all("A", await variant("Dish")));
    await done(
      `updateProduct(id: "${id}", language: "en", input: {name: "Bowl 2"}, ${since(await item(id))})`,
    );
  });

  test("takes what is read of topics, flows, price lists and items with topics after a part is changed", async () => {
    const names = (name: string) => `updateTopic(id: "${topic}", language: "en", input: {name: "${name}"}`;
    const { id: topic } = await api.field(
      'mutation { it: createTopic(language: "en", input: {name: "A"}) { ... on Topic { id } ... on BasicError { message } } }',
    );
    const product = await api.product("Parts");
    await done(
      'createFlow(identifier: "f", input: {name: "F", type: item, stages: [{identifier: "s", name: "S"}]})',
    );
    await done(
      `createPriceList(input: {identifier: "p", name: "P", modifierType: PERCENTAGE, priceVariants: [{identifier: "default", modifier: 5}],
        selectedProductVariants: {type: SOME_SKUS, variants: [{sku: "Parts"}]}, targetAudience: {type: EVERYONE}})`,
    );
    const stages = (name: string) =>
      `updateFlow(identifier: "f", input: {name: "F", stages: [{identifier: "s", name: "${name}"}]}`;
    const select = `upsertPriceListSelectedProductVariants(identifier: "p", variants: [{sku: "Parts"}]`;
    const drop = `removePriceListSelectedProductVariants(identifier: "p", skus: ["Parts"]`;
    const topics = (ids: string) =>
      `updateProduct(id: "${product}", language: "en", input: {topicIds: [${ids}]}`;
    const inLanguage = 'language: "en"';
    for (const [kind, given, first, second, third] of [
      ["topic", `id: "${topic}", ${inLanguage}`, names("B"), names("C"), names("D")],
      ["flow", 'identifier: "f"', stages("T"), stages("U"), stages("V")],
      ["priceList", 'identifier: "p"', drop, select, drop],
      ["item", `id: "${product}", ${inLanguage}`, topics(`"${topic}"`), topics(""), topics(`"${topic}"`)],
    ] as const) {
      const before = await timeOf(kind, given);
      await done(`${first})`);
      await refused(`${second}, ${since(before)})`, "was changed at");
      await done(`${second}, ${since(await timeOf(kind, given))})`);
      await done(`${third}, ${since(await timeOf(kind, given))})`);
    }
  });
});
