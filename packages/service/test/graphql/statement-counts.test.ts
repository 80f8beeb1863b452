import { Readable } from "node:stream";
import { type ExecutionResult, graphql } from "graphql";
import { expect, test } from "vitest";
import type { CoreContext } from "../../src/graphql/context.ts";
import { coreSchema } from "../../src/graphql/core-schema.ts";
import { makeLoaders } from "../../src/graphql/loaders/loaders.ts";
import { storeIssues } from "../../src/storage/task-details/issues.ts";
import { tenantById } from "../../src/storage/tenants/find.ts";
import { createTask } from "../../src/tasks/create.ts";
import { newUploadKey } from "../../src/uploads/keys.ts";
import { countStatements, describeOnEngines, type WrittenOperation } from "../support/commands.ts";

const schema = coreSchema();

const text = (componentId: string, words: string) => ({ componentId, singleLine: { text: words } });
const definition = (id: string, type: string, config?: object) => ({ id, name: id, type, config });

/** Everything of an item that is looked up in addition to its row. */
const product = `id name topics { name path parent { name } children { name } }
  version { id } availableVersions { label } parent { id name }
  tree { position path aliases history shortcuts { path } }
  components { componentId name content {
    ... on SingleLineComponentContent { text }
    ... on PieceComponentContent { components { componentId name } }
    ... on ItemRelationsComponentContent { items { name } productVariants { sku name } } } }
  ... on Product {
    defaultVariant { sku }
    variants { sku price stock components { name } priceVariants { identifier name price currency }
      stockLocations { identifier name stock settings { minimum unlimited } } } }`;

const folder = `id ... on Folder { children(first: 3) { totalCount edges { node { id name tree { path } } } } }`;

describeOnEngines("a page costs as many statements with 100 entries as with 10", (shop) => {
  async function seed(products: number) {
    const { rootItemId } = shop().tenant;
    const under = (parentId: string) => ({ language: "en", tree: { parentId } });
    await shop().done("piece/upsert", {
      identifier: "seo",
      name: "SEO",
      components: [definition("title", "singleLine")],
    });
    await shop().done("shape/upsert", { identifier: "folder", name: "Folder", type: "folder" });
    await shop().done("shape/upsert", {
      ...{ identifier: "product", name: "Product", type: "product" },
      components: [
        definition("intro", "singleLine"),
        definition("seo", "piece", { piece: { identifier: "seo" } }),
        definition("related", "itemRelations", { itemRelations: {} }),
      ],
      variantComponents: [definition("note", "singleLine")],
    });
    await shop().done("topic/create", {
      language: "en",
      name: "Wood",
      children: [{ name: "Oak" }, { name: "Elm" }],
    });
    const topics = await shop().database.query<{ id: string }>("SELECT id FROM topics WHERE tenant_id = $1", [
      shop().tenant.id,
    ]);
    const ids = Array.from({ length: products }, (_, i) =>
      (0x65a000000000 + i).toString(16).padStart(24, "0"),
    );
    const operations: WrittenOperation[] = ids.flatMap((itemId, i): WrittenOperation[] => [
      [
        "folder/upsert",
        {
          itemId: itemId.replace("65a", "66b"),
          shapeIdentifier: "folder",
          name: `F${i}`,
          ...under(rootItemId),
        },
      ],
      [
        "product/upsert",
        {
          ...{
            itemId,
            shapeIdentifier: "product",
            name: `P${i}`,
            vatTypeId: shop().tenant.settings.vatTypes[0]?.id,
          },
          ...under(itemId.replace("65a", "66b")),
          topicIds: topics.map(({ id }) => id),
          components: [
            text("intro", "Hello"),
            { componentId: "seo", piece: { identifier: "seo", components: [text("title", "Oak")] } },
            {
              componentId: "related",
              itemRelations: { itemIds: [ids[(i + 1) % products]], skus: [`s${(i + 7) % products}`] },
            },
          ],
          variants: [`s${i}`, `t${i}`].map((sku) => ({
            ...{ sku, name: sku, components: [text("note", "Note")] },
            priceVariants: [{ identifier: "default", price: 5 }],
            stockLocations: [{ identifier: "default", stock: 5 }],
          })),
        },
      ],
    ]);
    for (const outcome of await shop().batch(operations)) expect(outcome).toHaveProperty("action", "created");
  }

  async function ask(source: string) {
    const counting = countStatements(shop().database);
    const tenant = await tenantById(shop().database, shop().tenant.id);
    const services = { database: { ...shop().database, ...counting } } as unknown as CoreContext["services"];
    const loaders = makeLoaders(counting, tenant.id);
    const contextValue = { services, tenant, loaders, accessToken: { role: "reader" } } as CoreContext;
    const { data, errors } = (await graphql({ schema, source, contextValue })) as ExecutionResult<
      // biome-ignore lint/suspicious/noExplicitAny: an answer has whatever shape its query asked for
      Record<string, any>
    >;
    expect(errors).toBeUndefined();
    return { count: counting.statements.length, data };
  }

  async function statementsOf(type: "product" | "folder", first: number) {
    const selection = { product, folder }[type];
    const filter = type === "folder" ? `parentItemId: "${shop().tenant.rootItemId}"` : "type: product";
    const { count, data } =
      await ask(`{ items(language: "en", first: ${first}, filter: {${filter}}) { ... on ItemConnection {
      totalCount edges { node { ${selection} } } } ... on BasicError { errorName } } }`);
    expect([data?.items.totalCount, data?.items.edges.length]).toEqual([100, first]);
    return { count, last: data?.items.edges.at(-1).node };
  }

  test("a page of 100 products and folders needs as many statements as one of 10", async () => {
    await seed(100);
    const few = await statementsOf("product", 10);
    const many = await statementsOf("product", 100);
    expect(many.count).toBe(few.count);
    expect(many.count).toBeLessThan(30);
    expect(many.last).toMatchObject({
      name: "P99",
      topics: [
        { name: "Wood", path: "/wood", children: [{}, {}] },
        { path: "/wood/oak" },
        { path: "/wood/elm" },
      ],
      parent: { name: "F99" },
      tree: { path: "/f99/p99", position: 1 },
      components: [
        { name: "intro", content: { text: "Hello" } },
        { content: { components: [{ componentId: "title", name: "title" }] } },
        { content: { items: [{ name: "P0" }], productVariants: [{ sku: "s6" }] } },
      ],
      variants: [{ sku: "s99", price: 5, stock: 5, components: [{ name: "note" }] }, { sku: "t99" }],
    });
    const [few10, many100] = [await statementsOf("folder", 10), await statementsOf("folder", 100)];
    expect(many100.count).toBe(few10.count);
    expect(many100.last).toMatchObject({
      children: { totalCount: 1, edges: [{ node: { tree: { path: "/f99/p99" } } }] },
    });
  });

  test("a page of 100 tasks with the issues of their files needs as many statements as one of 10", async () => {
    const { tenant, database, store } = shop();
    const position = { line: 1, column: 1, offset: 0 };
    const first = { code: "C", pointer: "", operationIndex: 0, intent: null, ref: null, ...position };
    for (let task = 0; task < 12; task++) {
      const key = newUploadKey(tenant.id, "operations.json", "MASS_OPERATIONS");
      await store.put(key, Readable.from([Buffer.from("{}")]), { maxBytes: 100 });
      const { id } = await createTask(shop(), tenant, { key });
      const issues = Array.from({ length: task % 3 }, (_, i) => ({
        ...{ ...first, severity: "error" as const, message: `Task ${task}, issue ${i}` },
      }));
      await storeIssues(database, tenant.id, id, issues);
    }
    const page = (first: number) =>
      ask(`{ bulkTasks(first: ${first}) { ... on BulkTaskConnection {
        edges { node { id issues(first: 1) { totalCount edges { node { message } } } } } } } }`);
    const [few, many] = [await page(2), await page(12)];
    expect(many.count).toBe(few.count);
    const found = many.data?.bulkTasks.edges.map(({ node }: { node: { issues: object } }) => node.issues);
    const expected = Array.from({ length: 12 }, (_, task) => ({
      totalCount: task % 3,
      edges: task % 3 > 0 ? [{ node: { message: `Task ${task}, issue 0` } }] : [],
    }));
    expect(found).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    [
      "topics",
      'language: "en", ',
      "TopicConnection",
      "name path parent { name path } children { name path }",
    ],
    ["flows", "", "FlowConnection", "identifier stageIdentifiers stages { identifier name }"],
    ["priceLists", "", "PriceListConnection", "identifier selectedProductVariants { variants { sku } }"],
    ["customers", "", "CustomerConnection", "identifier childCount parents { identifier }"],
    ["productVariants", "", "ProductVariantConnection", "sku components { name } stockLocations { name }"],
    [
      "orders",
      "",
      "OrderConnection",
      "id reference customer { identifier } cart { name } pipelines { stageId }",
    ],
  ])("a page of 100 %s needs as many statements as one of 10", async (list, given, type, selection) => {
    await seed(12);
    const operations: WrittenOperation[] = Array.from({ length: 12 }, (_, i): WrittenOperation[] => [
      ["topic/create", { language: "en", name: `Topic ${i}`, children: [{ name: "Under" }] }],
      [
        "flow/create",
        {
          identifier: `flow-${i}`,
          name: "Flow",
          type: "item",
          stages: [{ identifier: `stage-${i}`, name: "Stage" }],
        },
      ],
      [
        "pricelist/create",
        {
          ...{ identifier: `list-${i}`, name: "List", modifierType: "ABSOLUTE" },
          priceVariants: [{ identifier: "default", modifier: 1 }],
          selectedProductVariants: { type: "SOME_SKUS", variants: [{ sku: `s${i}` }] },
          targetAudience: { type: "EVERYONE" },
        },
      ],
      [
        "customer/create",
        {
          identifier: `customer-${i}`,
          ...(i > 0 && { parents: [{ identifier: "customer-0", type: "customer" }] }),
        },
      ],
      ["order/register", { customer: { identifier: `customer-${i}` }, cart: [{ name: "Cup", quantity: 1 }] }],
    ]).flat();
    for (const outcome of await shop().batch(operations)) expect(outcome).toHaveProperty("action", "created");
    const page = (first: number) =>
      ask(`{ ${list}(${given}first: ${first}) { ... on ${type} { totalCount edges { node { ${selection} } } }
        ... on BasicError { errorName message } } }`);
    const [few, many] = [await page(2), await page(12)];
    expect([few.data?.[list].edges?.length, many.data?.[list].edges?.length]).toEqual([2, 12]);
    expect(many.count).toBe(few.count);
  });
});
