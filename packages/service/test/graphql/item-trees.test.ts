import { beforeAll, describe, expect, test } from "vitest";
import { useItemsApi } from "./items-api.ts";

const failure = "... on BasicError { errorName message errors { path } }";

describe("the tree of items", () => {
  const ids: string[] = [];
  const api = useItemsApi();
  beforeAll(async () => {
    for (const name of ["a", "b", "c", "d"]) ids.push(await api.product(name));
    await api.data(
      `mutation { publishItem(id: "${ids[1]}", language: "en") { ... on PublishInfo { id } ${failure} } }`,
    );
  });

  const names = (connection: { edges: { node: { name: string } }[] }) =>
    connection.edges.map(({ node }) => node.name);
  const pageOf = `edges { node { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

  const children = async (given = "", version = "draft") => {
    const { folder } = await api.data(
      `{ folder(id: "${api.folder}", language: "en", version: ${version}) {
           ... on Folder { children${given} { totalCount ${pageOf} } } ${failure} } }`,
    );
    return folder.children;
  };

  test("the children of a folder refuse another list's cursor, an empty page and one that is too large", async () => {
    for (const [given, message] of [
      ['(after: "abc")', '"abc" is not a cursor of this list; take the endCursor of the previous page'],
      ["(first: 0)", '"first" is 0; a page has 1 to 1000 entries'],
      ["(first: 1001)", '"first" is 1001; a page has 1 to 1000 entries'],
    ]) {
      const { status, body } = await api.ask(
        `{ folder(id: "${api.folder}", language: "en") { ... on Folder { children${given} { totalCount } } ${failure} } }`,
      );
      expect([status, body.errors[0].message, body.errors[0].extensions.code]).toEqual([
        ...[200, message],
        "ValidationError",
      ]);
    }
    expect(api.logged).toEqual([]);
  });

  test("the tree is read from a folder to its children, page by page, and back to the parent", async () => {
    const first = await children("(first: 3)");
    expect([names(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual([["a", "b", "c"], 4, true]);
    const next = await children(`(after: "${first.pageInfo.endCursor}")`);
    expect([names(next), next.pageInfo.hasNextPage, next.pageInfo.hasPreviousPage]).toEqual([
      ["d"],
      false,
      true,
    ]);
    expect(
      await api.item(`id: "${ids[0]}", language: "en"`, "parent { name parent { id parent { id } } }"),
    ).toEqual({ parent: { name: "Shoes", parent: { id: api.shop.tenant.rootItemId, parent: null } } });
  });

  test("an empty folder has no children, and a published one has those that are published", async () => {
    const { rootItemId } = api.shop.tenant;
    const empty = await api.create("createFolder", {
      ...{ shapeIdentifier: "folder", name: "Empty", tree: { parentId: rootItemId } },
    });
    const selection =
      "... on Folder { children { totalCount edges { cursor } pageInfo { hasNextPage endCursor } } }";
    expect(await api.item(`id: "${empty}", language: "en"`, selection)).toEqual({
      children: { totalCount: 0, edges: [], pageInfo: { hasNextPage: false, endCursor: null } },
    });
    await api.data(
      `mutation { publishItem(id: "${api.folder}", language: "en") { ... on PublishInfo { id } ${failure} } }`,
    );
    const published = await children("", "published");
    expect([names(published), published.totalCount]).toEqual([["b"], 1]);
  });

  test("an item says which of its versions exist in the language", async () => {
    const labels = async (id: string | undefined, language = "en") =>
      (await api.item(`id: "${id}", language: "${language}"`, "availableVersions { id label createdAt }"))
        .availableVersions;
    expect(await labels(ids[0])).toMatchObject([{ label: "draft" }]);
    expect(await labels(ids[1])).toMatchObject([{ label: "draft" }, { label: "published" }]);
  });

  describe("and every list", () => {
    const items = (given: string) =>
      api.field(
        `{ items(language: "en", filter: {parentItemId: "${api.folder}"}, ${given}) { ... on ItemConnection { ${pageOf} } ${failure} } }`,
      );

    test("a list cannot be read from both ends, or with a cursor of another list", async () => {
      expect(await items("first: 1, last: 1")).toMatchObject({
        errorName: "ValidationError",
        message: 'Give "first" or "last", not both',
        errors: [{ path: ["last"] }],
      });
      expect(await items('before: "abc"')).toMatchObject({
        message: '"abc" is not a cursor of this list; take the startCursor of the next page',
        errors: [{ path: ["before"] }],
      });
      expect(await items("last: 0")).toMatchObject({ message: '"last" is 0; a page has 1 to 1000 entries' });
    });

    test("a list can be read from its end too", async () => {
      const last = await items("last: 2");
      expect([names(last), last.pageInfo.hasPreviousPage, last.pageInfo.hasNextPage]).toEqual([
        ["c", "d"],
        true,
        false,
      ]);
      const before = await items(`last: 2, before: "${last.pageInfo.startCursor}"`);
      expect([names(before), before.pageInfo.hasPreviousPage, before.pageInfo.hasNextPage]).toEqual([
        ["a", "b"],
        false,
        true,
      ]);
      const { endCursor: end } = before.pageInfo;
      const between = await items(
        `after: "${before.pageInfo.startCursor}", before: "${last.pageInfo.endCursor}"`,
      );
      expect([names(between), end]).toEqual([["b", "c"], expect.any(String)]);
    });

    test.each(["bulkTasks", "shapes", "pieces", "auditTrail"])(
      "%s refuses an invalid cursor",
      async (list) => {
        const { body } = await api.ask(`{ ${list}(after: "abc") { totalCount } }`);
        expect(body.errors[0]).toMatchObject({
          message: '"abc" is not a cursor of this list; take the endCursor of the previous page',
          extensions: { code: "ValidationError" },
        });
      },
    );

    test.each([
      ["customers", "CustomerConnection"],
      ["customerGroups", "CustomerGroupConnection"],
      ["orders", "OrderConnection"],
      ["productVariants", "ProductVariantConnection"],
      ["priceLists", "PriceListConnection"],
      ["subscriptionContracts", "SubscriptionContractConnection"],
      ["flows", "FlowConnection"],
      ["vatTypes", "VatTypeConnection"],
    ])("%s refuses an invalid cursor in its result", async (list, type) => {
      const data = await api.data(`{ ${list}(after: "abc") { ... on ${type} { totalCount } ${failure} } }`);
      expect(data[list]).toMatchObject({ errorName: "ValidationError", errors: [{ path: ["after"] }] });
    });
  });

  describe("and its variants", () => {
    const variant = (given: string) =>
      api.field(`{ productVariant(${given}) { ... on ProductVariant { sku name } ${failure} } }`);

    test("variants are found by either SKU or external reference", async () => {
      for (const [sku, externalReference] of [
        ["x1", "one"],
        ["x2", "two"],
        ["x3", "two"],
      ])
        await api.product(`P-${sku}`, { variants: [{ sku, name: sku, externalReference }] });
      expect(await variant('externalReference: "one"')).toEqual({ sku: "x1", name: "x1" });
      expect(await variant('externalReference: "none"')).toMatchObject({
        errorName: "ProductVariantNotFoundError",
        errors: [{ path: ["externalReference"] }],
      });
      expect(await variant('externalReference: "two"')).toMatchObject({
        errorName: "AmbiguousReferenceError",
      });
      expect(await variant('language: "en"')).toMatchObject({ errorName: "ValidationError" });
      expect(await variant('sku: "x1", externalReference: "one"')).toMatchObject({
        errorName: "ValidationError",
      });
    });

    test("variants are listed by SKU, and by what the filter says", async () => {
      const list = async (filter: string) => {
        const { productVariants } = await api.data(
          `{ productVariants(filter: {${filter}}) { ... on ProductVariantConnection { edges { node { sku } } } ${failure} } }`,
        );
        return productVariants.edges.map(({ node }: { node: { sku: string } }) => node.sku);
      };
      expect(await list('skus: ["d", "b", "none"]')).toEqual(["b", "d"]);
      expect(await list(`productId: "${ids[2]}"`)).toEqual(["c"]);
      expect(await list('externalReferences: ["two"]')).toEqual(["x2", "x3"]);
    });
  });

  test("one query can read the tree, and orders by their resource identifiers", async () => {
    const { made } = await api.data(
      `mutation { made: registerOrder(input: {customer: {identifier: "ann"}, cart: [{name: "Cup", quantity: 1}], resourceIdentifier: "erp-1"}) {
         ... on OrderConfirmation { id } ${failure} } }`,
    );
    const order = (given: string) =>
      api.field(`{ order(${given}) { ... on Order { id reference } ${failure} } }`);
    expect(await order('resourceIdentifier: "erp-1"')).toEqual({ id: made.id, reference: "erp-1" });
    expect(await order('resourceIdentifier: "erp-2"')).toMatchObject({ errorName: "OrderNotFoundError" });
    expect(await order(`id: "${made.id}", resourceIdentifier: "erp-1"`)).toMatchObject({
      errorName: "ValidationError",
    });
  });

  test("a published item has its published path and the draft's, also in its shortcuts", async () => {
    const paths = async (version: string) =>
      (
        await api.item(
          `id: "${ids[1]}", language: "en", version: ${version}`,
          "tree { path shortcuts { path } }",
        )
      ).tree;
    const { rootItemId } = api.shop.tenant;
    await api.data(
      `mutation { addItemTreeNodeShortcuts(itemId: "${ids[1]}", shortcuts: [{parentId: "${rootItemId}"}]) { ... on ItemTreeNode { itemId } ${failure} } }`,
    );
    await api.data(
      `mutation { updateProduct(id: "${ids[1]}", language: "en", input: {name: "bee"}) { ... on Product { id } ${failure} } }`,
    );
    expect(await paths("draft")).toEqual({ path: "/shoes/bee", shortcuts: [{ path: "/bee" }] });
    expect(await paths("published")).toEqual({ path: "/shoes/b", shortcuts: [{ path: "/b" }] });
  });
});
