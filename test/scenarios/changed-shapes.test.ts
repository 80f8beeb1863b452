import { describe, expect, test } from "vitest";
import { opened } from "../support/opened.ts";
import { openService, runFile, serviceEngines } from "../support/service.ts";

const care = { id: "care", type: "singleLine", name: "Care" };
const height = { id: "height", type: "numeric", name: "Height" };
const plant = {
  intent: "shape/upsert",
  identifier: "plant",
  type: "product",
  name: "Plant",
  components: [
    care,
    { id: "facts", type: "contentChunk", name: "Facts", config: { contentChunk: { components: [height] } } },
  ],
};
const fern = {
  intent: "product/upsert",
  resourceIdentifier: "fern",
  language: "en",
  shapeIdentifier: "plant",
  name: "Fern",
  components: [
    { componentId: "care", singleLine: { text: "Shade" } },
    {
      componentId: "facts",
      contentChunk: { chunks: [[{ componentId: "height", numeric: { number: 0.4 } }]] },
    },
  ],
};

const readFern = (version: string) =>
  `item(resourceIdentifier: "fern", language: "en", version: ${version}) { ... on BasicError { error }
     ... on Product { components { componentId } variants { components { componentId } } } }`;

const addNorwegian = `mutation { createLanguage(input: {code: "no", name: "Norwegian"}) {
  ... on Language { code } ... on BasicError { error } } }`;

describe.each(serviceEngines)("a changed shape on %s", (engine) => {
  const service = opened(() => openService(engine));

  test("content of a removed component is neither fetched nor queried; mutation and file count its items", async () => {
    const tenant = await service.tenant("orphaned");
    const width = { id: "width", type: "numeric", name: "Width" };
    const wide = [{ componentId: "width", numeric: { number: 3 } }];
    const ofVariants = { ...plant, variantComponents: [width] };
    const named = (call: string) => ({
      intent: "customer/group/create",
      identifier: `${call}{{#each (valueOf (${call}) 'components')}} {{ componentId }}{{/each}}`,
    });
    const { log } = await runFile(tenant, {
      version: "1.0.0",
      operations: [
        ofVariants,
        { ...fern, variants: [{ sku: "fern", name: "Fern", components: wide }] },
        { intent: "item/publish", resourceIdentifier: "fern", language: "en" },
        { ...ofVariants, components: [care], variantComponents: [] },
        named("fetchItemByResourceIdentifier 'fern'"),
        named("fetchItemByResourceIdentifier 'fern' 'en' 'published'"),
        named("fetchProductVariantBySku 'fern'"),
        { intent: "item/publish", resourceIdentifier: "fern", language: "en" },
      ],
    });
    expect(log.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    expect(log[3]?.message).toBe(
      'updated shape "plant"; orphaned content in 1 item (components.facts in 1, variantComponents.width in 1)',
    );
    expect(log.slice(4, 7).map(({ output }) => output?.identifier)).toEqual([
      "fetchItemByResourceIdentifier 'fern' care",
      "fetchItemByResourceIdentifier 'fern' 'en' 'published' care",
      "fetchProductVariantBySku 'fern'",
    ]);
    const { draft, published } = await tenant.graphql<Record<string, object>>(
      `query { draft: ${readFern("draft")} published: ${readFern("published")} }`,
    );
    const read = { components: [{ componentId: "care" }], variants: [{ components: [] }] };
    expect([draft, published]).toEqual([read, read]);
    const removed = await tenant.graphql<Record<string, object>>(
      `mutation { updateShape(identifier: "plant", input: {name: "Plant", components: []}) {
         ... on Shape { orphaned { items more components { componentId place items } } } ... on BasicError { error } } }`,
    );
    expect(removed.updateShape).toEqual({
      orphaned: {
        items: 1,
        more: false,
        components: [{ componentId: "care", place: "components.care", items: 1 }],
      },
    });
  });

  test("shared content is written and published for all languages; mutation and file count differing items", async () => {
    const tenant = await service.tenant("shared");
    const setting = (multilingual: boolean) => [{ ...care, config: { singleLine: { multilingual } } }];
    const components = (text: string) => [{ componentId: "care", singleLine: { text } }];
    const named = { intent: "product/update", resourceIdentifier: "fern" };
    const publish = (language: string) => ({ intent: "item/publish", resourceIdentifier: "fern", language });
    await tenant.graphql(addNorwegian);
    const { log } = await runFile(tenant, {
      version: "1.0.0",
      operations: [
        { ...plant, components: setting(true) },
        { ...fern, components: components("Shade") },
        { ...named, language: "no", name: "Bregne" },
        { ...plant, components: setting(false) },
        publish("en"),
        publish("no"),
        { ...named, language: "no", components: components("Sun") },
        publish("no"),
      ],
    });
    expect(log.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    expect(log[3]?.message).toBe(
      'updated shape "plant"; languages still differ in 1 item (components.care in 1)',
    );
    const read = `component(id: "care") { content { ... on SingleLineComponentContent { text } } }`;
    const answer = await tenant.graphql<Record<string, object>>(
      `{ ${["draft", "published"].map(
        (version) => `${version}: item(resourceIdentifier: "fern", language: "en", version: ${version}) {
           ... on Item { ${read} } ... on BasicError { error } }`,
      )} }`,
    );
    const sun = { component: { content: { text: "Sun" } } };
    expect(answer).toEqual({ draft: sun, published: sun });
    const update = (multilingual: boolean) =>
      tenant.graphql<Record<string, object>>(
        `mutation ($input: UpdateShapeInput!) { updateShape(identifier: "plant", input: $input) {
           ... on Shape { orphaned { items } differing { items more } } ... on BasicError { error } } }`,
        { input: { name: "Plant", components: setting(multilingual) } },
      );
    expect(await update(true)).toEqual({ updateShape: { orphaned: null, differing: null } });
    expect(await update(false)).toEqual({
      updateShape: { orphaned: null, differing: { items: 0, more: false } },
    });
  });
});
