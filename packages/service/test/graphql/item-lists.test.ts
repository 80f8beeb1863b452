import { describe, expect, test } from "vitest";
import { useItemsApi } from "./items-api.ts";

describe("lists of items", () => {
  const api = useItemsApi();

  test("lists of items refuse a wrong size, a foreign cursor and an unknown language by name", async () => {
    for (const given of [
      "first: 0",
      "first: -1",
      "first: 1001",
      'after: "nonsense"',
      'after: "WyJhIiwiYiIsImMiXQ"',
      'filter: {parentItemId: "\\u0000"}',
    ]) {
      const { items } = await api.data(
        `{ items(language: "en", ${given}) { ... on ItemConnection { totalCount } ... on BasicError { errorName } } }`,
      );
      expect(items, given).toEqual({ errorName: "ValidationError" });
    }
    const { items } = await api.data(
      `{ items(language: "xx") { ... on ItemConnection { totalCount } ... on BasicError { errorName message } } }`,
    );
    expect(items).toEqual({
      errorName: "SettingNotFoundError",
      message: 'The tenant has no language "xx"; it has "en"',
    });
  });

  test("a filter of items takes a thousand keys, and refuses more by name", async () => {
    const items = async (count: number) => {
      const keys = JSON.stringify(Array.from({ length: count }, (_, i) => `k-${i}`));
      const answered = await api.data(
        `{ items(language: "en", filter: {externalReferences: ${keys}}) {
           ... on ItemConnection { totalCount } ... on BasicError { errorName message } } }`,
      );
      return answered.items;
    };
    expect(await items(1_000)).toEqual({ totalCount: 0 });
    expect(await items(1_001)).toEqual({
      errorName: "ValidationError",
      message: "filter.externalReferences lists 1001; the limit is 1000",
    });
  });

  test("the root item is in no list, with or without a filter", async () => {
    for (const filter of ["", ", filter: {type: folder}", `, filter: {shapeIdentifier: null}`]) {
      const { items } = await api.data(
        `{ items(language: "en"${filter}) { ... on ItemConnection { totalCount edges { node { id name } } } ... on BasicError { message } } }`,
      );
      const nodes: { id: string; name: string | null }[] = items.edges.map(
        ({ node }: { node: object }) => node,
      );
      expect(nodes.length).toBe(items.totalCount);
      expect(nodes.length).toBeGreaterThan(0);
      expect(nodes.filter(({ id, name }) => id === api.shop.tenant.rootItemId || name === null)).toEqual([]);
    }
  });

  test("pages of a folder's children join into the whole, in the order of the tree, whatever their size", async () => {
    const parentId = await api.create("createFolder", {
      shapeIdentifier: "folder",
      name: "Pages",
      tree: { parentId: api.folder },
    });
    const names: string[] = [];
    for (let number = 0; number < 7; number++) names.push(`Page ${number}`);
    for (const name of names) await api.product(name, { tree: { parentId } });
    await api.product("Page in front", { tree: { parentId, position: 1 } });
    names.unshift("Page in front");
    for (const first of [1, 3, 8, 100]) {
      const read: string[] = [];
      let after: string | null = "";
      while (after !== null) {
        const {
          items,
        }: {
          items: {
            edges: { node: { name: string } }[];
            pageInfo: { hasNextPage: boolean; endCursor: string };
            totalCount: number;
          };
        } = await api.data(
          `query ($parent: ID!, $first: Int, $after: String) { items(language: "en", filter: {parentItemId: $parent}, first: $first, after: $after) {
             ... on ItemConnection { totalCount edges { cursor node { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
             ... on BasicError { message } } }`,
          { parent: parentId, first, after },
        );
        expect(items.totalCount).toBe(8);
        read.push(...items.edges.map(({ node }) => node.name));
        after = items.pageInfo.hasNextPage ? items.pageInfo.endCursor : null;
      }
      expect(read, `first: ${first}`).toEqual(names);
    }
  });

  test("items are filtered by references, shape and type", async () => {
    const id = await api.product("Filtered", { externalReference: "ref-1", resourceIdentifier: "res-1" });
    const list = async (filter: string) =>
      (
        await api.field(
          `{ items(language: "en", filter: ${filter}) { ... on ItemConnection { edges { node { id } } } ... on BasicError { message } } }`,
        )
      ).edges.map(({ node }: { node: { id: string } }) => node.id);
    expect(await list('{externalReferences: ["ref-1", "none"]}')).toEqual([id]);
    expect(await list('{resourceIdentifiers: ["res-1"], type: product}')).toEqual([id]);
    expect(await list('{resourceIdentifiers: ["res-1"], type: "folder"}')).toEqual([]);
    expect(await list('{externalReferences: ["ref-1"], shapeIdentifier: "document"}')).toEqual([]);
    expect(await list("{externalReferences: []}")).toEqual([]);
  });
});
