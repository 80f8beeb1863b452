import { beforeAll, describe, expect, test } from "vitest";
import { useApi } from "../http/support.ts";

const failure = "... on BasicError { errorName error message errors { code path message componentId } }";

describe("refused mutations", () => {
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

  test("a reader's mutation is an UnauthorizedError and changes nothing; its queries are answered", async () => {
    const headers = await api.tokenHeaders("reader");
    const query = (text: string) =>
      api.send({ method: "POST", url: "/@shop", headers, payload: { query: text } });
    for (const mutation of [
      `createCustomer(input: {identifier: "by-reader"}) { ... on Customer { identifier } ${failure} }`,
      `createMassOperationBulkTask(input: {key: "x"}) { ... on BulkTaskMassOperation { id } ${failure} }`,
      `startMassOperationBulkTask(id: "x") { ... on BulkTaskMassOperation { id } ${failure} }`,
      `generatePresignedUploadRequest(type: MASS_OPERATIONS, filename: "f", contentType: "c") { ... on PresignedUploadRequest { url } ${failure} }`,
    ]) {
      const { status, body } = await query(`mutation { it: ${mutation} }`);
      expect(status).toBe(200);
      expect(body.data.it).toMatchObject({
        errorName: "UnauthorizedError",
        message: expect.stringContaining("read"),
      });
    }
    const { body } = await query(
      `{ customer(identifier: "by-reader") { ... on Customer { identifier } ${failure} } }`,
    );
    expect(body.data.customer.errorName).toBe("CustomerNotFoundError");
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
