import { describe, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { openService, runFile, serviceEngines, tokenHeaders } from "../support/service.ts";
import { dumpOf, restored, run } from "./dumping.ts";

const id = (number: number) => number.toString(16).padStart(24, "0");
const root = { parentId: "{{ defaults.rootItemId }}" };
const line = (text: string) => [{ componentId: "title", singleLine: { text } }];
const related = (...itemIds: string[]) => [{ componentId: "related", itemRelations: { itemIds } }];

const shape = (type: string, identifier: string, { title = {}, related = {} } = {}) => {
  const components = [
    { id: "title", name: "Title", type: "singleLine", config: { singleLine: title } },
    { id: "related", name: "Related", type: "itemRelations", config: { itemRelations: related } },
  ];
  const definition = { intent: "shape/upsert", identifier, name: identifier, type, components };
  return type === "product" ? { ...definition, variantComponents: components } : definition;
};

const item = (type: string, number: number, name: string, more: object = {}) => ({
  ...{ intent: `${type}/upsert`, itemId: id(number), language: "en", name, shapeIdentifier: type },
  ...{ tree: root, ...(type === "product" && { variants: [] }), ...more },
});
const publish = (number: number) => ({ intent: "item/publish", itemId: id(number), language: "en" });
const file = (...operations: object[]) => ({ version: "1.0.0", operations });
const reportOf = (dump: string) => JSON.parse(dump).report ?? [];

describe.each(serviceEngines)("values that a dump cannot write, on %s", (engine) => {
  let tenants = 0;
  const service = opened(() => openService(engine));

  const tenantWith = async (...operations: object[]): Promise<TenantClient> => {
    const client = await service.tenant(`source-${++tenants}`);
    await run(client, file(...operations));
    return client;
  };

  async function failedIn(client: TenantClient, dump: string): Promise<(string | undefined)[]> {
    const { log } = await runFile(client, dump);
    const failed = log.filter(({ status }) => status !== "success");
    return [...new Set(failed.map(({ input }) => /[0-9a-f]{24}/.exec(String(input.itemId))?.[0]))].sort();
  }

  test("a dump says whether it is a snapshot", async () => {
    const client = await service.tenant("moments");
    const response = await fetch(`${client.address}/dump.json`, { headers: tokenHeaders(client) });
    await response.text();
    expect(response.headers.get("lading-dump-moments")).toBe(engine === "pglite" ? "many" : "1");
  });

  test("content that breaks a newer rule of its shape is reported, and nothing else fails", async () => {
    const variants = (sku: string, components: object[] = []) => ({
      variants: [{ sku, name: sku, components }],
    });
    const model = (rules: Parameters<typeof shape>[2]) => [
      shape("document", "document", rules),
      shape("product", "product", { title: rules?.title ?? {} }),
    ];
    const client = await tenantWith(
      ...model({}),
      item("document", 1, "Fits", { components: line("A1") }),
      item("document", 2, "Lacks a title"),
      item("document", 3, "Was published without a title"),
      publish(3),
      item("document", 4, "Has another title", { components: line("other") }),
      item("document", 5, "Lost its title", { components: line("A1") }),
      item("document", 6, "Leads to a document", { components: [...line("A1"), ...related(id(1))] }),
      item("document", 7, "Leads to a product", { components: [...line("A1"), ...related(id(8), id(99))] }),
      item("product", 8, "Fits", { components: line("A1"), ...variants("fits", line("A1")) }),
      item("product", 9, "Has a variant without a title", { components: line("A1"), ...variants("lacks") }),
      publish(5),
      { intent: "document/update", itemId: id(5), language: "en", components: [] },
      ...model({
        title: { required: true, pattern: "^A[0-9]$" },
        related: { acceptedShapeIdentifiers: ["product"] },
      }),
    );
    const dump = await dumpOf(client);
    const what = "an item with content that breaks a rule of its shape, whose operations may fail";
    expect(reportOf(dump)).toEqual([{ what, count: 5, examples: [2, 3, 4, 9, 6].map(id) }]);
    expect(await failedIn(await service.tenant(`target-${tenants}`), dump)).toEqual([2, 3, 4, 6, 9].map(id));
    expect(await failedIn(client, dump)).toEqual([4, 6].map(id));
  });

  test("content of a variant in a language that its product lacks is reported", async () => {
    const client = await tenantWith(
      { intent: "language/upsert", code: "no", name: "Norwegian" },
      shape("product", "product"),
      item("product", 1, "Mug", { variants: [{ sku: "mug", name: "Mug" }] }),
      { intent: "item/updateComponent/sku", sku: "mug", language: "no", component: line("Krus")[0] },
    );
    const what = "content of a variant in a language in which its product has none";
    expect(reportOf(await dumpOf(client))).toEqual([{ what, count: 1, examples: ["mug"] }]);
  });

  test("an alias whose path an item gets is omitted, also one that ends in an item's id", async () => {
    const chairs = Array.from({ length: 10 }, (_, i) => item("document", i + 1, "Chair"));
    const alias = (path: string) => ({
      ...{ intent: "item/paths/addAliases", itemId: id(30), language: "en", paths: [path] },
    });
    const moved = { tree: { ...root, position: 1 } };
    const client = await tenantWith(
      shape("document", "document"),
      item("document", 30, "Other"),
      // Paths depend on the order of creation: the tenth contains its id.
      ...chairs,
      // In a copy the tenth is the first one, and the ninth the tenth.
      { intent: "document/update", itemId: id(10), language: "en", ...moved },
      alias(`/chair-${id(9)}`),
      // Its name has no letters: it gets its id, but for the alias.
      ...[alias(`/${id(20)}`), item("document", 20, "茶")],
      // The tables with lower numbers are gone.
      ...Array.from({ length: 10 }, (_, i) => item("document", 100 + i, "Table")),
      ...[2, 3, 4, 5, 6, 7, 8].map((i) => ({ intent: "item/delete", itemId: id(100 + i) })),
      ...[alias("/table-3"), alias(`/table-${id(100)}`), alias("/desk-3"), alias(`/desk-${id(1)}`)],
    );
    const dump = await dumpOf(client);
    expect(reportOf(dump)).toEqual([
      {
        what: "an alias whose path an item gets in a new tenant",
        count: 3,
        examples: [`/${id(20)}`, `/chair-${id(9)}`, "/table-3"],
        aliases: [`/${id(20)}`, `/chair-${id(9)}`, "/table-3"].map((path) => ({
          ...{ itemId: id(30), language: "en", path },
        })),
      },
    ]);
    expect(dump).toContain(`"/table-${id(100)}"`);
    await restored(service, `target-${tenants}`, dump);
  });

  test("shared content that differs by language is reported, and all get the first non-empty one", async () => {
    const multilingual = (value: boolean) => ({ multilingual: value });
    const model = (value: boolean) => [
      {
        intent: "piece/upsert",
        ...{ identifier: "care", name: "Care" },
        components: [
          { id: "wash", name: "Wash", type: "singleLine" },
          { id: "code", name: "Code", type: "singleLine", config: { singleLine: multilingual(value) } },
        ],
      },
      ...["document", "product"].map((type) => {
        const { components, ...definition } = shape(type, type, { title: multilingual(value) });
        const care = { id: "care", name: "Care", type: "piece", config: { piece: { identifier: "care" } } };
        return { ...definition, components: [...components, care] };
      }),
    ];
    const both = (type: string, number: number, english: object, norwegian: object) => [
      item(type, number, "Item", english),
      item(type, number, "Ting", { ...norwegian, language: "no" }),
    ];
    const publishBoth = (number: number) => [publish(number), { ...publish(number), language: "no" }];
    const title = (text?: string) => ({ components: text === undefined ? [] : line(text) });
    const variant = (text: string) => ({ variants: [{ sku: "s", name: "s", ...title(text) }] });
    const text = (componentId: string, text: string) => ({ componentId, singleLine: { text } });
    const care = (...components: object[]) => ({
      components: [{ componentId: "care", piece: { identifier: "care", components } }],
    });
    const client = await tenantWith(
      { intent: "language/upsert", code: "no", name: "Norsk" },
      ...model(true),
      ...both("document", 1, title("x"), title()),
      ...both("document", 2, title("x"), title("y")),
      ...both("document", 3, title(), title("y")),
      ...both("document", 4, title("x"), title("x")),
      ...[...both("document", 5, title("x"), title("y")), ...publishBoth(5)],
      item("document", 5, "Ting", { ...title("x"), language: "no" }),
      ...both("document", 6, care(text("wash", "a")), care(text("wash", "b"), text("code", "y"))),
      ...[...both("product", 7, variant("x"), variant("y")), ...publishBoth(7)],
      ...model(false),
    );
    const dump = await dumpOf(client);
    const what = "shared content that differs between an item's languages: all get the first language's";
    expect(reportOf(dump)).toEqual([
      { what, count: 4, examples: [1, 2, 3, 5].map(id), shape: "document", component: "title" },
      { what, count: 1, examples: [id(6)], shape: "document", component: "care" },
      { what, count: 1, examples: [id(7)], shape: "product", component: "title" },
    ]);
    const { operations } = JSON.parse(dump);
    const written = operations.filter(({ itemId }: { itemId?: string }) => itemId?.includes(id(3)));
    expect(written.map(({ components }: { components: object[] }) => components)).toEqual([
      line("y"),
      line("y"),
    ]);
    const copy = await restored(service, `target-${tenants}`, dump);
    await run(client, dump);
    for (const made of [copy, client])
      expect(JSON.parse(await dumpOf(made))).toEqual({ version: "1.0.0", operations });
  });
});
