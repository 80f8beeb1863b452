import { parsePayload } from "@lading/schema";
import { beforeAll, describe, expect, test } from "vitest";
import { executeCommand } from "../../src/commands/execute.ts";
import { document } from "../../src/graphql/mutations/mutation-results.ts";
import { findItems } from "../../src/storage/queries/items.ts";
import { operator } from "../../src/tenants/audit.ts";
import { useApi } from "../http/support.ts";

const failure = "... on BasicError { errorName error message errors { code path message componentId } }";
describe("mutations", () => {
  let root: string;
  const api = useApi();
  beforeAll(async () => {
    root = api.shop.tenant.rootItemId;
    await mutate(
      `createShape(input: {identifier: "article", name: "Article", type: document, components: [
         {id: "title", name: "Title", type: singleLine, config: {singleLine: {required: true}}},
         {id: "size", name: "Size", type: numeric}]}) { ... on Shape { identifier } ${failure} }`,
    );
    await mutate(
      `createShape(input: {identifier: "shoe", name: "Shoe", type: product, variantComponents: [
         {id: "note", type: singleLine}]}) { ... on Shape { identifier } ${failure} }`,
    );
    await mutate(
      `createShape(input: {identifier: "shelf", name: "Shelf", type: folder}) { ... on Shape { identifier } ${failure} }`,
    );
  });

  const mutate = (field: string, variables?: Record<string, unknown>, declared = "") =>
    api.field(`mutation ${declared} { it: ${field} }`, variables);

  const product = (sku: string) =>
    mutate(
      `upsertProduct(language: "en", input: {shapeIdentifier: "shoe", name: "${sku}", variants: [
         {sku: "${sku}", name: "${sku}", isDefault: true}, {sku: "${sku}-2", name: "Second"}]}) { ... on Product { id } ${failure} }`,
    );

  test("an item is answered from what its mutation has in memory, as a query reads it afterwards", async () => {
    const write = async (intent: "document/upsert" | "document/update", payload: object) => {
      const parsed = parsePayload(intent, { language: "en", ...payload });
      if ("errors" in parsed) throw new Error(JSON.stringify(parsed.errors));
      let inMemory: object | undefined;
      const { database, shop } = api;
      const { tenant } = shop;
      await executeCommand(api, { tenant, actor: operator }, intent, parsed.payload, (unit, result) => {
        inMemory = document.written?.(unit, { language: "en" }, result);
      });
      const scope = { language: "en", version: "draft" } as const;
      const [stored] = await findItems(database, tenant.id, scope, { resourceIdentifier: "memory" });
      expect(stored?.content?.name).toBe("name" in payload ? payload.name : "M");
      expect(inMemory).toEqual(stored);
    };
    const components = [{ componentId: "size", numeric: { number: 1.5, unit: undefined } }];
    const named = { resourceIdentifier: "memory", shapeIdentifier: "article", tree: { parentId: root } };
    const title = { componentId: "title", singleLine: { text: "T" } };
    await write("document/upsert", { ...named, name: "M", components: [title, ...components] });
    await write("document/upsert", { ...named, name: "M" });
    await write("document/update", { resourceIdentifier: "memory", name: "Other", components });
  });

  test("publishing a subtree says what could not be published, and can leave out the check", async () => {
    const tree = (parentId: string) => `tree: {parentId: "${parentId}"}`;
    const folder = await mutate(
      `createFolder(language: "en", input: {shapeIdentifier: "shelf", name: "Partial", ${tree(root)}}) { ... on Folder { id } ${failure} }`,
    );
    const document = await mutate(
      `createDocument(language: "en", input: {shapeIdentifier: "article", name: "D", ${tree(folder.id)}, components: [{componentId: "title", singleLine: {text: "T"}}]}) { ... on Document { id } ${failure} }`,
    );
    await mutate(`updateShape(identifier: "article", input: {name: "Article", components: [
      {id: "title", name: "Title", type: singleLine, config: {singleLine: {required: true}}},
      {id: "size", name: "Size", type: numeric, config: {numeric: {required: true}}}]}) { ... on Shape { identifier } ${failure} }`);
    const publish = (more: string) =>
      mutate(
        `publishItem(id: "${folder.id}", language: "en", includeDescendants: true${more}) { ... on PublishInfo { id errors { message } } ${failure} }`,
      );
    const { errors } = await publish("");
    expect(errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining(document.id),
    ]);
    expect((await publish(", disableComponentValidation: true")).errors).toEqual([]);
  });

  test("the stock and the price of a variant are answered as they are now", async () => {
    await product("v");
    const call = (field: string, success: string) => mutate(`${field} { ... on ${success} ${failure} }`);
    const stock = (operation: string, quantity: number) =>
      call(
        `modifyProductVariantStock(sku: "v-2", stockLocationIdentifier: "default", operation: ${operation}, quantity: ${quantity})`,
        "ProductStockLocation { identifier stock }",
      );
    expect(await stock("increase", 5)).toEqual({ identifier: "default", stock: 5 });
    expect(await stock('"decrease"', 2)).toEqual({ identifier: "default", stock: 3 });
    const price = 'modifyProductVariantPrice(sku: "v-2", priceVariantIdentifier: "default", price: 12.5)';
    expect(await call(price, "ProductPriceVariant { identifier price currency }")).toEqual({
      ...{ identifier: "default", price: 12.5, currency: "EUR" },
    });
  });

  test("mutations of one request are executed in their order, and each returns its own result", async () => {
    const name = (text: string) =>
      `updateShape(identifier: "shelf", input: {name: "${text}"}) { ... on Shape { name } ${failure} }`;
    expect(await api.data(`mutation { a: ${name("A")} b: ${name("B")} c: ${name("C")} }`)).toEqual({
      a: { name: "A" },
      b: { name: "B" },
      c: { name: "C" },
    });
  });

  test("an input that breaks its intent's schema is a ValidationError with every path", async () => {
    const { errors, ...first } = await mutate(
      `createCustomer(input: {identifier: "c", email: "no address", birthDate: "never", meta: [{key: ""}]}) {
         ... on Customer { identifier } ${failure} }`,
    );
    expect(first).toEqual({
      errorName: "ValidationError",
      error: first.message,
      message: expect.stringMatching(/^\/email: .*\/birthDate: .*\/meta\/0\/key: /),
    });
    expect(errors.map(({ path }: { path: unknown[] }) => path)).toEqual([
      ["email"],
      ["birthDate"],
      ["meta", 0, "key"],
    ]);
    expect(
      (
        await mutate(
          `updateDocument(language: "en", input: {name: "x"}) { ... on Document { id } ${failure} }`,
        )
      ).errorName,
    ).toBe("ValidationError");
  });

  test("content that does not fit its shape names the component of each error", async () => {
    const answer = await mutate(
      `createDocument(language: "en", input: {shapeIdentifier: "article", name: "A", tree: {parentId: "${root}"},
         components: [{componentId: "title", numeric: {number: 1}}, {componentId: "sise", numeric: {number: 1}}]}) {
         ... on Document { id } ... on ComponentContentValidationFailedError { errorName errors { componentId message } } ... on BasicError { message } }`,
    );
    expect(answer.errorName).toBe("ComponentContentValidationFailedError");
    const ids = answer.errors.map(({ componentId }: { componentId: string }) => componentId);
    expect(ids).toEqual(expect.arrayContaining(["title", "sise"]));
  });

  test("updateComponent refuses an item and a SKU together, and neither", async () => {
    const update = (given: string) =>
      mutate(
        `updateComponent(${given} language: "en", component: {componentId: "note", singleLine: {text: "N"}}) {
           ... on UpdatedComponent { updatedComponentPath item { id } } ${failure} }`,
      );
    expect((await update(`itemId: "${root}", sku: "s",`)).message).toContain("itemId");
    expect((await update("")).errorName).toBe("ValidationError");
    const { id } = await product("component-sku");
    expect(await update('sku: "component-sku",')).toEqual({ updatedComponentPath: "note", item: { id } });
    expect((await update('sku: "none",')).errorName).toBe("ProductVariantNotFoundError");
  });
});
