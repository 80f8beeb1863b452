import { expect, test } from "vitest";
import { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { fetchHelpers, prefetchFetched } from "../../src/template-helpers/index.ts";
import { renderText } from "../../src/templates/render-text.ts";
import { countStatements, describeOnEngines, type Shop } from "../support/commands.ts";
import { scopeOf } from "./support/scope.ts";

/** A product in a nested folder, with a topic; and one of everything else that can be fetched by name. */
async function fill(shop: Shop): Promise<void> {
  const item = { language: "en", tree: { parentId: shop.tenant.rootItemId } };
  await shop.done("shape/create", { identifier: "shelf", name: "Shelf", type: "folder" });
  await shop.done("shape/create", { identifier: "tea", name: "Tea", type: "product" });
  const outer = await shop.done("folder/create", { ...item, shapeIdentifier: "shelf", name: "Teas" });
  const tree = { parentId: (outer.output.id as { value: string }).value };
  const inner = await shop.done("folder/create", { ...item, tree, shapeIdentifier: "shelf", name: "Green" });
  const topic = { language: "en", resourceIdentifier: "fresh", name: "Fresh" };
  const { id: topicId } = (await shop.done("topic/upsert", topic)).output;
  await shop.done("product/upsert", {
    ...item,
    tree: { parentId: (inner.output.id as { value: string }).value },
    resourceIdentifier: "sencha",
    shapeIdentifier: "tea",
    name: "Sencha",
    topicIds: [topicId as string],
    variants: [{ sku: "sencha-100", name: "100 g", isDefault: true }],
  });
  await shop.done("item/publish", { resourceIdentifier: "sencha", language: "en" });
  await shop.done("item/publish", { itemId: tree.parentId, language: "en" });
  await shop.done("folder/update", { itemId: tree.parentId, language: "en", name: "Infusions" });
  await shop.done("customer/group/create", { identifier: "club", name: "Club" });
  await shop.done("customer/create", { identifier: "okakura", firstName: "Kakuzo" });
}

const templates: [template: string, text: string][] = [
  ["{{ valueOf (fetchItemByResourceIdentifier 'sencha') 'tree.path' }}", "/infusions/green/sencha"],
  [
    "{{ valueOf (fetchItemByResourceIdentifier 'sencha' 'en' 'published') 'tree.path' }}",
    "/teas/green/sencha",
  ],
  ["{{ valueOf (fetchItemByResourceIdentifier 'sencha' 'en' 'published') 'variants.0.sku' }}", "sencha-100"],
  ["{{ valueOf (fetchProductVariantBySku 'sencha-100') 'name' }}", "100 g"],
  ["{{ valueOf (fetchProductVariantBySku 'sencha-100' 'en' 'published') 'name' }}", "100 g"],
  ["{{ valueOf (fetchTopicByResourceIdentifier 'fresh') 'path' }}", "/fresh"],
  ["{{#with (fetchCustomerByIdentifier 'okakura')}}{{firstName}}{{/with}}", "Kakuzo"],
  ["{{#if true}}{{ valueOf (fetchCustomerGroupByIdentifier 'club') 'name' }}{{/if}}", "Club"],
];

describeOnEngines("what templates fetch by literals", (shop) => {
  test("fetches by literals are loaded with the batch, so that rendering asks the database nothing", async () => {
    await fill(shop());
    const { database, tenant } = shop();
    await database.transaction(async (transaction) => {
      const queries = countStatements(transaction);
      const unit = new UnitOfWork(queries, tenant.id);
      await unit.prefetch((prefetch) => {
        for (const [template] of templates) prefetchFetched(template, tenant, prefetch);
      });
      const before = queries.statements.length;
      expect(before).toBeGreaterThan(0);
      const scope = scopeOf({ helpers: fetchHelpers({ unit, tenant }) });
      for (const [template, text] of templates) expect(await renderText(template, scope)).toBe(text);
      expect(queries.statements.slice(before)).toEqual([]);
    });
  });

  test("fetches by literals need a number of statements that does not grow with the calls", async () => {
    await fill(shop());
    const { database, tenant } = shop();
    const statements = (calls: readonly string[]) =>
      database.transaction(async (transaction) => {
        const queries = countStatements(transaction);
        const unit = new UnitOfWork(queries, tenant.id);
        await unit.prefetch((prefetch) => {
          for (const call of calls) prefetchFetched(`{{ valueOf (${call}) 'name' }}`, tenant, prefetch);
        });
        return queries.statements.length;
      });
    const many = Array.from({ length: 500 }, (_, i) => `fetchItemByResourceIdentifier 'item-${i}'`);
    const one = await statements(["fetchItemByResourceIdentifier 'sencha'"]);
    expect(await statements(["fetchItemByResourceIdentifier 'sencha'", ...many])).toBe(one);
  });

  test("a fetch is not loaded with the batch when its argument is not a literal, or nothing calls it", async () => {
    const { database, tenant } = shop();
    await database.transaction(async (transaction) => {
      const queries = countStatements(transaction);
      const unit = new UnitOfWork(queries, tenant.id);
      await unit.prefetch((prefetch) => {
        prefetchFetched(
          "{{ valueOf (fetchCustomerByIdentifier customer.identifier) 'id' }}",
          tenant,
          prefetch,
        );
        prefetchFetched("{{ fetchCustomerByIdentifier }}{{ fetchNothing 'x' }}", tenant, prefetch);
        prefetchFetched("{{ fetch", tenant, prefetch);
        prefetchFetched("a fetched text", tenant, prefetch);
      });
      expect(queries.statements).toEqual([]);
    });
  });
});
