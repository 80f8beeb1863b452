import { beforeAll, describe, expect, test } from "vitest";
import { useItemsApi } from "./items-api.ts";

const failure = "... on BasicError { errorName message errors { path } }";

describe("topics, flows and further paths", () => {
  let [wood, oak, item] = ["", "", ""];

  const ask = (query: string, variables?: Record<string, unknown>) => api.field(query, variables);
  const mutate = (field: string) => ask(`mutation { it: ${field} }`);

  const api = useItemsApi();
  beforeAll(async () => {
    wood = (
      await mutate(`createTopic(language: "en", input: {name: "Wood", displayColor: "#850", resourceIdentifier: "wood",
        meta: [{key: "a", value: "b"}], children: [{name: "Oak", children: [{name: "White oak"}]}, {name: "Ash"}]})
        { ... on Topic { id } ${failure} }`)
    ).id;
    oak = (await ask(`{ it: topic(language: "en", path: "/wood/oak") { ... on Topic { id } ${failure} } }`))
      .id;
    item = await api.product("Table", { topicIds: [oak, wood] });
  });

  test("an unknown topic or flow is an error by name, and the arguments that look it up are checked", async () => {
    const wrong: [query: string, errorName: string, path: unknown[] | undefined][] = [
      ['topic(language: "en", id: "x")', "TopicNotFoundError", ["id"]],
      ['topic(language: "en", path: "/oak")', "TopicNotFoundError", ["path"]],
      ['topic(language: "en", path: "/")', "TopicNotFoundError", ["path"]],
      ['topic(language: "en")', "ValidationError", undefined],
      [`topic(language: "en", id: "${wood}", path: "/wood")`, "ValidationError", undefined],
      [`topic(language: "xx", id: "${wood}")`, "SettingNotFoundError", ["language"]],
      ['topics(language: "xx")', "SettingNotFoundError", ["language"]],
      ['topics(language: "en", first: 0)', "ValidationError", ["first"]],
      ['flow(identifier: "nix")', "FlowNotFoundError", ["identifier"]],
      ['flowContent(stageIdentifier: "nix")', "FlowStageNotFoundError", ["stageIdentifier"]],
    ];
    const success: Record<string, string> = {
      topic: "Topic { id }",
      topics: "TopicConnection { totalCount }",
      flow: "Flow { identifier }",
      flowContent: "FlowContentConnection { totalCount }",
    };
    for (const [query, errorName, path] of wrong) {
      const name = query.slice(0, query.indexOf("("));
      const answer = await ask(`{ it: ${query} { ... on ${success[name]} ${failure} } }`);
      expect(answer, query).toMatchObject({ errorName });
      if (path !== undefined) expect(answer.errors, query).toMatchObject([{ path }]);
    }
  });

  test("a topic is found by id, resource identifier and path, with its ancestors and children", async () => {
    const fields = `id name language path pathIdentifier displayColor resourceIdentifier meta { key value }
      parentId parent { name } children { name path children { name path } } createdAt updatedAt`;
    const found = {
      ...{ id: wood, name: "Wood", language: "en", path: "/wood", pathIdentifier: "wood" },
      ...{ displayColor: "#850", resourceIdentifier: "wood", meta: [{ key: "a", value: "b" }] },
      ...{ parentId: null, parent: null },
      children: [
        { name: "Oak", path: "/wood/oak", children: [{ name: "White oak", path: "/wood/oak/white-oak" }] },
        { name: "Ash", path: "/wood/ash", children: [] },
      ],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    };
    for (const by of [`id: "${wood}"`, 'resourceIdentifier: "wood"', 'path: "/wood"'])
      expect(
        await ask(`{ it: topic(language: "en", ${by}) { ... on Topic { ${fields} } ${failure} } }`),
      ).toEqual(found);
  });

  test("topics are listed: all, the roots, the children of one, or by resource identifiers, page by page", async () => {
    const names = async (given: string) => {
      const list = await ask(
        `{ it: topics(language: "en"${given}) { ... on TopicConnection {
             totalCount pageInfo { endCursor } edges { node { name } } } ${failure} } }`,
      );
      return {
        names: list.edges.map(({ node }: { node: { name: string } }) => node.name),
        total: list.totalCount,
        cursor: list.pageInfo.endCursor,
      };
    };
    expect(await names("")).toMatchObject({ names: ["Wood", "Oak", "White oak", "Ash"], total: 4 });
    expect((await names(", filter: {parentId: null}")).names).toEqual(["Wood"]);
    expect((await names(`, filter: {parentId: "${wood}"}`)).names).toEqual(["Oak", "Ash"]);
    expect((await names(', filter: {resourceIdentifiers: ["wood", "nix"]}')).names).toEqual(["Wood"]);
    const first = await names(", first: 3");
    expect(first).toMatchObject({ names: ["Wood", "Oak", "White oak"], total: 4 });
    expect((await names(`, first: 3, after: "${first.cursor}"`)).names).toEqual(["Ash"]);
  });

  test("an item has its topics in their order", async () => {
    expect(
      await api.item(`id: "${item}", language: "en"`, "topicIds topics { id name path displayColor }"),
    ).toEqual({
      topicIds: [oak, wood],
      topics: [
        { id: oak, name: "Oak", path: "/wood/oak", displayColor: null },
        { id: wood, name: "Wood", path: "/wood", displayColor: "#850" },
      ],
    });
  });

  test("a flow is written and read, with its stages and the items in them", async () => {
    const flow = await mutate(
      `createFlow(identifier: "review", input: {name: "Review", type: item, meta: [{key: "a"}],
         restrictions: {item: {acceptedShapeIdentifiers: ["product"]}},
         stages: [{identifier: "draft", name: "Draft", actions: [{action: move, move: {targetStageIdentifier: "done"}},
           {action: waitRelative, waitRelative: {days: 2}}]}, {identifier: "done", name: "Done"}]})
         { ... on Flow { identifier name type stageIdentifiers restrictions { ... on ItemFlowRestrictions { acceptedShapeIdentifiers } }
           stages { identifier name flowIdentifier actions { action move { targetStageIdentifier } waitRelative { days } } }
           meta { key value } } ${failure} }`,
    );
    expect(flow).toEqual({
      ...{ identifier: "review", name: "Review", type: "item", stageIdentifiers: ["draft", "done"] },
      restrictions: { acceptedShapeIdentifiers: ["product"] },
      stages: [
        {
          ...{ identifier: "draft", name: "Draft", flowIdentifier: "review" },
          actions: [
            { action: "move", move: { targetStageIdentifier: "done" }, waitRelative: null },
            { action: "waitRelative", move: null, waitRelative: { days: 2 } },
          ],
        },
        { identifier: "done", name: "Done", flowIdentifier: "review", actions: [] },
      ],
      meta: [{ key: "a", value: null }],
    });
    expect(
      await ask(
        `mutation ($items: [ItemFlowStageAssociationInput!]!) { it: addItemsToFlowStage(stageIdentifier: "draft", items: $items,
           actionConfig: [{waitIndividual: {until: "2030-01-01T00:00:00Z"}}])
           { ... on FlowContentList { content { id language version stage { identifier } actionConfig { waitIndividual { until } } } } ${failure} } }`,
        { items: [{ id: item, language: "en" }] },
      ),
    ).toEqual({
      content: [
        {
          ...{ id: item, language: "en", version: "current", stage: { identifier: "draft" } },
          actionConfig: [{ waitIndividual: { until: "2030-01-01T00:00:00Z" } }],
        },
      ],
    });
    const content = await ask(
      `{ it: flowContent(stageIdentifier: "draft") { ... on FlowContentConnection { totalCount edges { node { id item { name } } } } ${failure} } }`,
    );
    expect(content).toEqual({ totalCount: 1, edges: [{ node: { id: item, item: { name: "Table" } } }] });
    const list = await ask(
      `{ it: flows { ... on FlowConnection { edges { node { identifier stageIdentifiers } } } ${failure} } }`,
    );
    expect(list.edges).toEqual([{ node: { identifier: "review", stageIdentifiers: ["draft", "done"] } }]);
    expect(
      await mutate(`upsertFlow(identifier: "review", input: {name: "Check", type: item, stages: [
        {identifier: "draft", name: "Draft"}]}) { ... on Flow { name stageIdentifiers } ${failure} }`),
    ).toEqual({ name: "Check", stageIdentifiers: ["draft"] });
    expect(
      await mutate(
        `updateFlow(identifier: "review", input: {name: "Review"}) { ... on Flow { name } ${failure} }`,
      ),
    ).toEqual({ name: "Review" });
  });

  test("an item's aliases, former paths and shortcuts are written by nine mutations and read with its location", async () => {
    const other = await api.create("createFolder", {
      shapeIdentifier: "folder",
      name: "Offers",
      tree: { parentId: api.shop.tenant.rootItemId },
    });
    const node = `{ ... on ItemTreeNode { itemId parentId path position aliases history shortcuts { parentId position path } } ${failure} }`;
    const location = { itemId: item, parentId: api.folder, path: "/shoes/table", position: 1 };
    const write = (name: string, given: string) => mutate(`${name}(itemId: "${item}", ${given}) ${node}`);
    const paths = (...list: string[]) => `language: "en", paths: ${JSON.stringify(list)}`;
    const none = { aliases: [], history: [], shortcuts: [] };

    expect(await write("addItemTreeNodeAliases", paths("/a"))).toEqual({
      ...location,
      ...none,
      aliases: ["/a"],
    });
    expect((await write("setItemTreeNodeAliases", paths("/c", "/b"))).aliases).toEqual(["/b", "/c"]);
    expect((await write("removeItemTreeNodeAliases", paths("/c"))).aliases).toEqual(["/b"]);
    expect((await write("addItemTreeNodeHistory", paths("/old"))).history).toEqual(["/old"]);
    expect((await write("setItemTreeNodeHistory", paths("/older", "/old"))).history).toEqual([
      "/older",
      "/old",
    ]);
    expect((await write("removeItemTreeNodeHistory", paths("/older"))).history).toEqual(["/old"]);
    const shown = [{ parentId: other, position: 1, path: "/offers/table" }];
    const shortcuts = `shortcuts: [{parentId: "${other}", position: 3}]`;
    expect((await write("addItemTreeNodeShortcuts", shortcuts)).shortcuts).toEqual(shown);
    expect((await write("setItemTreeNodeShortcuts", shortcuts)).shortcuts).toEqual(shown);
    expect(
      await api.item(`id: "${item}", language: "en"`, `tree { path aliases history shortcuts { path } }`),
    ).toEqual({
      tree: {
        path: "/shoes/table",
        aliases: ["/b"],
        history: ["/old"],
        shortcuts: [{ path: "/offers/table" }],
      },
    });
    expect((await write("removeItemTreeNodeShortcuts", `parentIds: ["${other}"]`)).shortcuts).toEqual([]);
  });
});
