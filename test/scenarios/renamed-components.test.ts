import { describe, expect, test } from "vitest";
import { contentOf, differenceOf } from "../dump/differing.ts";
import { dumpOf } from "../dump/dumping.ts";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { type Entry, finished, openService, runFile, serviceEngines, startFile } from "../support/service.ts";

const line = (id: string) => ({ id, name: id, type: "singleLine" });
const text = (componentId: string, value: string) => ({ componentId, singleLine: { text: value } });
const shape = (...components: object[]) => ({
  ...{ intent: "shape/upsert", identifier: "plant", type: "product", name: "Plant" },
  components,
  variantComponents: [line("pot")],
});
const fern = { resourceIdentifier: "fern", language: "en" };
const plant = (...components: object[]) => ({
  ...{ intent: "product/upsert", ...fern, shapeIdentifier: "plant", name: "Fern", components },
  variants: [{ sku: "fern", name: "Fern", components: [text("pot", "clay")] }],
});
const rename = (from: string, to: string, identifier = "plant") => ({
  ...{ intent: "shape/component/rename", identifier, from, to },
});
const publish = { intent: "item/publish", ...fern };

const read = `query ($version: VersionLabel!) { item(resourceIdentifier: "fern", language: "en", version: $version) {
  ... on Product { components { componentId name content { ... on SingleLineComponentContent { text } } }
    variants { components { componentId } } } ... on BasicError { error } } }`;

const changesOf = (
  more: string,
) => `query ($id: ID!) { operationLogs(filter: { operationId: $id ${more} }) { edges { node { message
  changes { entities { entity values { pointer before after } } } } } } }`;

interface Changes {
  message: string;
  changes: {
    entities: { entity: string; values: { pointer: string; before: unknown; after: unknown }[] }[];
  } | null;
}

describe.each(serviceEngines)("renamed components on %s", (engine) => {
  const service = opened(() => openService(engine));
  let tenants = 0;
  const newTenant = () => service.tenant(`renamed-${++tenants}`);

  const run = async (tenant: TenantClient, ...operations: object[]): Promise<Entry[]> => {
    const { log, info, issues } = await runFile(tenant, { version: "1.0.0", operations });
    expect({ info, issues: issues.filter(({ severity }) => severity === "error") }).toEqual({
      info: null,
      issues: [],
    });
    return log;
  };
  const done = async (tenant: TenantClient, ...operations: object[]) => {
    const log = await run(tenant, ...operations);
    expect(log.filter(({ status }) => status !== "success").map(({ message }) => message)).toEqual([]);
    return log;
  };
  const components = async (tenant: TenantClient, version = "draft") => {
    const { item } = await tenant.graphql<{ item: { components: object[] } }>(read, { version });
    return item;
  };
  const undo = async (tenant: TenantClient, id: string) => {
    const { undone } = await tenant.graphql<{ undone: { id: string; error?: string } }>(
      `mutation ($id: ID!) { undone: undoBulkTask(id: $id, autoStart: true) {
        ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
      { id },
    );
    expect(undone.error).toBeUndefined();
    return finished(tenant, undone.id);
  };
  const start = async (tenant: TenantClient, operations: object[], more: object = {}) => {
    const id = await startFile(tenant, { version: "1.0.0", operations }, more);
    await finished(tenant, id);
    return id;
  };
  const changes = async (tenant: TenantClient, id: string, more = "") => {
    const { operationLogs } = await tenant.graphql<{ operationLogs: { edges: { node: Changes }[] } }>(
      changesOf(more),
      { id },
    );
    return operationLogs.edges.map(({ node }) => node);
  };
  const content = (componentId: string, value: string) => ({
    ...{ componentId, name: componentId, content: { text: value } },
  });

  test("GraphQL and templates read content by the new id, in drafts and in what was published before", async () => {
    const tenant = await newTenant();
    const named = (call: string) => ({
      intent: "customer/group/create",
      identifier: `${call}{{#each (valueOf (${call}) 'components')}} {{ componentId }}{{/each}}`,
    });
    const log = await done(
      tenant,
      shape(line("care"), line("light")),
      ...[plant(text("care", "mist"), text("light", "shade")), publish],
      ...[rename("care", "watering"), rename("pot", "vessel")],
      named("fetchItemByResourceIdentifier 'fern'"),
      named("fetchItemByResourceIdentifier 'fern' 'en' 'published'"),
      named("fetchProductVariantBySku 'fern'"),
    );
    expect(log[3]?.message).toBe('updated shape "plant"; renamed components.care to components.watering');
    expect(log.slice(5).map(({ output }) => output?.identifier)).toEqual([
      "fetchItemByResourceIdentifier 'fern' watering light",
      "fetchItemByResourceIdentifier 'fern' 'en' 'published' watering light",
      "fetchProductVariantBySku 'fern' vessel",
    ]);
    const expected = {
      components: [content("watering", "mist"), content("light", "shade")],
      variants: [{ components: [{ componentId: "vessel" }] }],
    };
    expect(await components(tenant)).toEqual(expected);
    expect(await components(tenant, "published")).toEqual(expected);
  });

  test("the mutation answers with the shape, and says by error name why it cannot rename", async () => {
    const tenant = await newTenant();
    await done(tenant, shape(line("care"), line("light")));
    const mutation = (from: string, to: string) =>
      tenant.graphql(`mutation { renamed: renameShapeComponent(identifier: "plant", from: "${from}", to: "${to}") {
        ... on Shape { components { id } definition } ... on BasicError { errorName } } }`);
    expect(await mutation("care", "light")).toEqual({ renamed: { errorName: "ComponentIdTakenError" } });
    expect(await mutation("cart", "x")).toEqual({ renamed: { errorName: "ComponentNotFoundError" } });
    expect(await mutation("care", "watering")).toEqual({
      renamed: {
        components: [{ id: "watering" }, { id: "light" }],
        definition: expect.objectContaining({
          components: [line("watering"), line("light")],
        }),
      },
    });
  });

  test("an update made before the rename is undone after it, and the rename after that", async () => {
    const tenant = await newTenant();
    await done(tenant, shape(line("care")), plant(text("care", "mist")));
    const updated = await start(tenant, [plant(text("care", "soak"))]);
    const renamed = await start(tenant, [rename("care", "watering")]);
    expect((await undo(tenant, updated)).log).toMatchObject([{ status: "success" }]);
    expect(await components(tenant)).toMatchObject({ components: [content("watering", "mist")] });
    await done(tenant, plant(text("watering", "drip")));
    const { log } = await undo(tenant, renamed);
    expect(log).toMatchObject([{ status: "success", action: "updated", output: { identifier: "plant" } }]);
    expect(log[0]?.output).not.toHaveProperty("orphaned");
    expect(await components(tenant)).toMatchObject({ components: [content("care", "drip")] });
  });

  test("the undo of a removal brings the content back, but a new component of that id does not", async () => {
    const tenant = await newTenant();
    await done(
      tenant,
      shape(line("care"), line("light")),
      plant(text("care", "mist"), text("light", "shade")),
    );
    const removed = await start(tenant, [shape(line("light"))]);
    const added = await start(tenant, [shape(line("care"), line("light"))]);
    expect(await components(tenant)).toMatchObject({ components: [content("light", "shade")] });
    await undo(tenant, added);
    await undo(tenant, removed);
    expect(await components(tenant)).toMatchObject({
      components: [content("care", "mist"), content("light", "shade")],
    });
  });

  test("a plan that renames, and then writes by the new id, shows that id everywhere", async () => {
    const tenant = await newTenant();
    await done(tenant, shape(line("care"), line("light")), plant(text("care", "mist")));
    const moss = { ...plant(text("watering", "wet"), text("soil", "peat")), resourceIdentifier: "moss" };
    const operations = [
      rename("care", "watering"),
      shape(line("watering"), line("light"), line("soil")),
      { intent: "item/updateComponent/item", ...fern, component: text("soil", "clay") },
      { ...moss, variants: [{ sku: "moss", name: "Moss", components: [text("pot", "tin")] }] },
      { intent: "item/updateComponent/item", ...fern, component: text("care", "dry") },
      { ...publish, resourceIdentifier: "moss" },
    ];
    for (const kind of ["plan", "run"]) {
      const id = await start(tenant, operations, kind === "plan" ? { kind } : {});
      const [renamed, updated, soil, created, refused, published] = await changes(tenant, id);
      expect(JSON.stringify([renamed, updated])).not.toMatch(/"key"|formerIds/);
      expect(renamed?.changes?.entities[0]?.values).toEqual([
        { pointer: "/components/0/id", before: "care", after: "watering" },
        { pointer: "/components/0/name", before: "care", after: "watering" },
      ]);
      expect(soil?.changes?.entities.flatMap(({ values }) => values)).toContainEqual({
        ...{ pointer: "/components/1", before: null, after: text("soil", "clay") },
      });
      const valuesOf = (each: Changes | undefined) =>
        each?.changes?.entities.flatMap(({ values }) => values) ?? [];
      const publishedAlone = (await changes(tenant, id, 'operationTypeStartsWith: "item/publish"'))[0];
      // A run keeps no values of rows that it creates, and the draft was written again.
      for (const each of kind === "plan" ? [created, published, publishedAlone] : [published])
        expect(valuesOf(each)).toContainEqual({
          ...{ pointer: "/components", before: null, after: [text("watering", "wet"), text("soil", "peat")] },
        });
      expect(refused?.message).toContain('There is no component "care" here. It was renamed to "watering".');
    }
  });

  test("a plan of a shape by the old id shows that a component goes, another comes, and content is lost", async () => {
    const tenant = await newTenant();
    await done(tenant, shape(line("care")), plant(text("care", "mist")), rename("care", "watering"));
    const id = await start(tenant, [shape(line("care"))], { kind: "plan" });
    const [updated] = await changes(tenant, id);
    expect(updated?.message).toBe(
      'updated shape "plant"; orphaned content in 1 item (components.watering in 1)',
    );
    expect(updated?.changes?.entities[0]?.values).toEqual([
      { pointer: "/components/0", before: null, after: line("care") },
      { pointer: "/components/0", before: line("watering"), after: null },
    ]);
  });

  test("a swap is shown as such, not as another order", async () => {
    const tenant = await newTenant();
    await done(tenant, shape(line("care"), line("light")));
    const id = await start(tenant, [rename("care", "t"), rename("light", "care"), rename("t", "light")]);
    const [, , last] = await changes(tenant, id);
    expect(last?.changes?.entities[0]?.values).toEqual([
      { pointer: "/components/0/id", before: "t", after: "light" },
      { pointer: "/components/0/name", before: "t", after: "light" },
    ]);
  });

  test("a file that names a component by its former id gets a warning with the new one", async () => {
    const tenant = await newTenant();
    const operations = [shape(line("care")), rename("care", "watering"), plant(text("care", "mist"))];
    const { issues } = await runFile(tenant, { version: "1.0.0", operations });
    expect(issues).toMatchObject([
      {
        code: "UnknownComponent",
        message: expect.stringContaining('It was renamed to "watering"'),
        pointer: "/operations/2/components/0/componentId",
      },
    ]);
  });

  test("a renamed component of a piece is read and written in all the shapes that use it", async () => {
    const tenant = await newTenant();
    const holder = { ...line("facts"), type: "piece", config: { piece: { identifier: "facts" } } };
    const numbers = Array.from({ length: 10 }, (_, i) => i);
    const facts = (componentId: string, value: string) => ({
      componentId: "facts",
      piece: { identifier: "facts", components: [text(componentId, value)] },
    });
    const item = (i: number, component: object) => ({
      ...{ intent: "document/upsert", resourceIdentifier: `d${i}`, language: "en", name: `D${i}` },
      ...{
        shapeIdentifier: `s${i}`,
        tree: { parentId: "{{ defaults.rootItemId }}" },
        components: [component],
      },
    });
    await done(
      tenant,
      { intent: "piece/upsert", identifier: "facts", name: "Facts", components: [line("height")] },
      ...numbers.map((i) => ({
        ...{ intent: "shape/upsert", identifier: `s${i}`, type: "document", name: "S", components: [holder] },
      })),
      ...numbers.map((i) => item(i, facts("height", String(i)))),
      { intent: "piece/component/rename", identifier: "facts", from: "height", to: "size" },
      item(0, facts("size", "other")),
    );
    const { operations } = JSON.parse(await dumpOf(tenant)) as { operations: { intent: string }[] };
    const documents = operations.filter(({ intent }) => intent === "document/upsert");
    const values = numbers.map((i) => (i === 0 ? "other" : String(i)));
    expect(documents).toMatchObject(values.map((value) => ({ components: [facts("size", value)] })));
  });

  test("a dump has the new id, runs unchanged in its own tenant, and makes a tenant without differences", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    await done(
      tenant,
      ...[shape(line("care"), line("light")), plant(text("care", "mist"), text("light", "shade")), publish],
      ...[rename("care", "t"), rename("light", "care"), rename("t", "light")],
    );
    const dump = await dumpOf(tenant);
    expect(dump).not.toMatch(/"key":"|formerIds/);
    const { operations } = JSON.parse(dump);
    await run(other, ...operations);
    const copy = await dumpOf(other);
    expect(await components(other)).toEqual(await components(tenant));
    expect(contentOf(copy)).toEqual(contentOf(dump));
    expect((await differenceOf(dump, copy)).operations).toEqual([]);
    const again = await run(tenant, ...operations);
    expect(again.filter(({ intent }) => intent.startsWith("shape/")).map(({ action }) => action)).toEqual([
      "unchanged",
    ]);
    expect(await components(tenant)).toMatchObject({
      components: [content("light", "mist"), content("care", "shade")],
    });
  });
});
