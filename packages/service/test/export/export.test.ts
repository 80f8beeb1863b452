import { expect, test } from "vitest";
import { dumpReaders } from "../../src/commands/registry.ts";
import { beginDump } from "../../src/domain/dump/dump.ts";
import { beginExport, type ExportRequest, exportMap } from "../../src/domain/export/export.ts";
import { mostSnapshots } from "../../src/storage/pages/snapshot.ts";
import { describeOnEngines, type Shop } from "../support/commands.ts";

const request = (kind: ExportRequest["kind"], more: Partial<ExportRequest> = {}): ExportRequest => ({
  ...{ kind, format: "csv", decimal: ".", bom: false, where: "", columns: undefined },
  ...{ shape: undefined, language: undefined, publish: false, ...more },
});

async function begun({ database, tenant }: Shop, ...wanted: Parameters<typeof request>) {
  const text = await beginExport(database, tenant.id, request(...wanted));
  if (typeof text === "string") throw new Error(text);
  return text;
}

const exported = async (shop: Shop, ...wanted: Parameters<typeof request>) =>
  (await Array.fromAsync(await begun(shop, ...wanted))).join("");

/** The cells of a column. */
const cells = async (shop: Shop, kind: ExportRequest["kind"], column: string, where = "", shape?: string) =>
  (await exported(shop, kind, { where, columns: [column], format: "ndjson", shape }))
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)[column]]));

const refusal = (shop: Shop, ...wanted: Parameters<typeof request>) =>
  exported(shop, ...wanted).then(
    () => "not refused",
    ({ message }: Error) => message,
  );

const id = (digit: number) => `${digit}`.repeat(24);
const title = { id: "title", name: "Title", type: "singleLine" };
const care = { id: "care", name: "Care", type: "richText" };

/** Two products in folders, with a topic, three variants, and their prices and stock. */
async function stocked(shop: Shop): Promise<void> {
  const root = { parentId: shop.tenant.rootItemId };
  const content = (text: string) => [{ componentId: "title", singleLine: { text } }];
  const variant = (sku: string, price: number, stock: number) => ({
    ...{ sku, name: sku, priceVariants: [{ identifier: "default", price }] },
    stockLocations: [{ identifier: "default", stock }],
  });
  await shop.done("shape/create", { identifier: "shelf", name: "Shelf", type: "folder", components: [] });
  await shop.done("shape/create", {
    ...{ identifier: "tea", name: "Tea", type: "product", components: [title, care] },
    variantComponents: [title],
  });
  await shop.done("shape/create", { identifier: "pot", name: "Pot", type: "product", components: [] });
  await shop.done("topic/upsert", { topicId: id(1), language: "en", name: "Leaves" });
  const folder = { language: "en", shapeIdentifier: "shelf", name: "Shelf", tree: root };
  await shop.done("folder/upsert", { ...folder, itemId: id(2) });
  const product = { language: "en", vatTypeId: shop.tenant.settings.vatTypes[0]!.id };
  await shop.done("product/upsert", {
    ...{ ...product, itemId: id(3), shapeIdentifier: "tea", name: "=Tea, green", tree: { parentId: id(2) } },
    ...{ components: content('say "hi"'), topicIds: [id(1)], externalReference: "007" },
    variants: [variant("t-1", 4.5, 3), { ...variant("t-2", 10, 12), components: content("Large") }],
  });
  await shop.done("product/upsert", {
    ...{ ...product, itemId: id(4), shapeIdentifier: "pot", name: "Pot", tree: root },
    variants: [variant("p-1", 25, 0)],
  });
  await shop.done("item/publish", { itemId: id(4), language: "en" });
}

describeOnEngines("an export", (shop) => {
  test("of a tenant that has one, or a dump, does not begin until that ends or is given up", async () => {
    const services = { database: shop().database, imageUrl: (key: string) => key, dumpReaders };
    const { tenant } = shop();
    const first = await begun(shop(), "products");
    expect(await beginExport(shop().database, tenant.id, request("products"))).toBe("TenantHasOne");
    expect(await beginDump(services, tenant.id)).toBe("TenantHasOne");
    await first.return(undefined);
    const dump = await beginDump(services, tenant.id);
    if (typeof dump === "string") throw new Error(dump);
    expect(await beginExport(shop().database, tenant.id, request("products"))).toBe("TenantHasOne");
    await dump.return(undefined);
    expect(await exported(shop(), "products")).toMatch(/^itemId,/);
  });

  test("that is refused leaves room for another, and so does one that fails", async () => {
    for (let i = 0; i <= mostSnapshots; i++)
      expect(await refusal(shop(), "products", { where: "price = 1" })).toContain('"price" is not known');
    expect(await exported(shop(), "products")).toMatch(/^itemId,/);
  });

  test.each([
    ["products", { columns: ["naem"] }, 'columns: "naem" is not known; did you mean "name"?'],
    ["products", { where: "nmae = x" }, 'where: "nmae" is not known; did you mean "name"?'],
    ["products", { where: "group = x" }, 'where: "group" is not known'],
    ["products", { where: "name" }, 'where: cannot read "name" at character 1'],
    ["products", { where: "name = a and" }, "where: "],
    [
      "products",
      { where: "name = a or name = b" },
      'where: cannot read "name = a or name = b" at character 1',
    ],
    ["products", { where: "name > a" }, 'where: "name" cannot be compared with >'],
    ["products", { where: "topicIds = a" }, 'where: "topicIds" cannot be compared; its cells are JSON'],
    [
      "products",
      { where: "published = yes" },
      'where: "published" is compared with "yes"; write true or false',
    ],
    ...["yesterday", "2026-02-30", "2026-11-29T00:00", "2026-11-29Tx"].map(
      (time) =>
        [
          "products",
          { where: `updatedAt > ${time}` },
          `where: "updatedAt" is compared with "${time}"; write a date`,
        ] as const,
    ),
    [
      "variants",
      { where: "price.default > many" },
      'where: "price.default" is compared with "many"; write a number',
    ],
    ["variants", { where: "price.defualt > 1" }, 'did you mean "price.default"?'],
    [
      "products",
      { where: "below = /nowhere" },
      'there is no item "/nowhere": write its id or its path in en',
    ],
    ["products", { where: "topic = /nowhere" }, 'there is no topic "/nowhere"'],
    ["products", { where: "below != /nowhere" }, 'where: "below" cannot be compared with !='],
    ["products", { where: Array(21).fill("name = a").join(" and ") }, "where: more than 20 conditions"],
    ["content", {}, "content needs a shape"],
    ["content", { shape: "none" }, 'There is no shape "none"'],
    ["prices", { shape: "tea" }, "prices have no components"],
    ["products", { language: "xx" }, '"xx"'],
    ["variants", { publish: true }, "publish is for products and content"],
  ] as const)("of %s with %j is refused", async (kind, wanted, message) => {
    expect(await refusal(shop(), kind, wanted)).toContain(message);
  });

  test("has no map if no operation writes what was chosen", async () => {
    const map = (...wanted: Parameters<typeof request>) =>
      exportMap(shop().database, shop().tenant.id, request(...wanted));
    await expect(map("orders")).rejects.toThrow("There is no map: no operation can write this kind back");
    await expect(map("products", { columns: ["path"] })).rejects.toThrow(
      'nothing writes the chosen columns back; choose "name", ',
    );
  });

  test("has nothing of another tenant, whose items and topics it cannot name", async () => {
    const neighbour = await shop().neighbour();
    await stocked(neighbour);
    for (const kind of ["products", "variants", "prices", "stock", "topics"] as const)
      expect((await exported(shop(), kind)).split("\n")).toHaveLength(2);
    expect(await refusal(shop(), "products", { where: `below = ${id(2)}` })).toContain("there is no item");
    expect(await refusal(shop(), "products", { where: `topic = ${id(1)}` })).toContain("there is no topic");
    expect(await refusal(shop(), "content", { shape: "tea" })).toBe('There is no shape "tea"');
  });

  test("that nobody reads further ends at the next page, although no row is found", async () => {
    await shop().batch(
      Array.from({ length: 450 }, (_, i) => ["topic/create", { language: "en", name: `t${i}` }]),
    );
    const text = await begun(shop(), "topics", { where: "name = none" });
    await text.next();
    for (let page = 0; page < 2; page++) expect(await text.next()).toEqual({ done: false, value: "" });
    await text.return(undefined);
    expect(await cells(shop(), "topics", "name", "name = t44*")).toHaveLength(11);
  });

  test("writes texts so that no spreadsheet takes them for formulas, and numbers as they are", async () => {
    await stocked(shop());
    const [head, ...rows] = (
      await exported(shop(), "products", { columns: ["name", "topicIds", "externalReference"] })
    )
      .split("\n")
      .map((line) => line.replace(/,[^,]*,[^,]*$/, ""));
    expect(head).toBe("itemId,name,topicIds,externalReference");
    expect(rows).toEqual([`${id(3)},"'=Tea, green","[""${id(1)}""]",007`, `${id(4)},Pot,,`, ""]);
    const comma = await exported(shop(), "variants", { columns: ["price.default"], decimal: ",", bom: true });
    expect(comma).toMatch(/^\ufeffsku;price\.default;_updatedAt;_exported\nt-1;4,5;/);
  });

  test("has the rows that meet all conditions", async () => {
    await stocked(shop());
    const skus = (where: string) => cells(shop(), "variants", "sku", where);
    expect(await skus("")).toEqual(["t-1", "t-2", "p-1"]);
    expect(await skus("sku = t-*")).toEqual(["t-1", "t-2"]);
    expect(await skus("sku = p-1")).toEqual(["p-1"]);
    expect(await skus("price.default >= 10 and stock.default < 5")).toEqual(["p-1"]);
    expect(await skus("below = /shelf")).toEqual(["t-1", "t-2"]);
    expect(await skus(`below = / and topic = ${id(1)}`)).toEqual(["t-1", "t-2"]);
    expect(await skus("topic = /leaves and sku != t-1")).toEqual(["t-2"]);
    expect(await skus("shape = pot")).toEqual(["p-1"]);
    expect(await skus("published = true")).toEqual(["p-1"]);
    expect(await skus("updatedAt >= 2020-01-01 and updatedAt < 2020-01-02")).toEqual([]);
    const names = (where: string) => cells(shop(), "products", "name", where);
    expect(await names('name = "=Tea, green"')).toEqual(["=Tea, green"]);
    expect(await names("shape = tea AND below=/")).toEqual(["=Tea, green"]);
    expect(await names('externalReference = ""')).toEqual(["Pot"]);
    expect(await cells(shop(), "products", "path", "topic = /leaves")).toEqual(["/shelf/tea-green"]);
    expect(await cells(shop(), "stock", "stock", "stock > 0")).toEqual([3, 12]);
    expect(await cells(shop(), "prices", "price", "priceVariant = default and below = /shelf")).toEqual([
      4.5, 10,
    ]);
  });

  test("of customers has those of a group", async () => {
    await shop().done("customer/group/create", { identifier: "wholesale" });
    const parents = [{ type: "customerGroup", identifier: "wholesale" }];
    await shop().done("customer/create", { identifier: "ann", parents });
    await shop().done("customer/create", { identifier: "bob" });
    expect(await cells(shop(), "customers", "identifier", "group = wholesale")).toEqual(["ann"]);
    expect(await cells(shop(), "customers", "identifier", "group != wholesale")).toEqual(["bob"]);
  });

  test("of content has a column for each component, and a map that writes it, and publishes", async () => {
    await stocked(shop());
    const wanted = { shape: "tea", columns: ["name", "components.title", "components.care"], publish: true };
    expect(await cells(shop(), "content", "components.title", "", "tea")).toEqual(['say "hi"']);
    const time = { _ifUnchangedSince: "[[_updatedAt]]" };
    const item = { itemId: "[[itemId]]", language: "en" };
    const component = { intent: "item/updateComponent/item", ...item, ...time };
    expect(await exportMap(shop().database, shop().tenant.id, request("content", wanted))).toEqual({
      columns: {
        itemId: { type: "text", empty: "refuse" },
        name: { type: "text", empty: "refuse" },
        "components.title": { type: "text", empty: "null" },
        "components.care": { type: "json", empty: "null" },
      },
      exported: { column: "_exported", of: ["name", "components.title", "components.care"] },
      operations: [
        { intent: "product/update", ...item, name: "[[name]]", ...time, $edited: ["name"] },
        {
          ...component,
          component: {
            componentId: "title",
            singleLine: {
              ...{ text: "[[components.title]]", $else: null },
              $when: { "components.title": { not: "" } },
            },
          },
          $edited: "components.title",
        },
        {
          ...component,
          component: { componentId: "care", richText: "[[components.care]]" },
          $edited: "components.care",
        },
        { intent: "item/publish", ...item, ...time, $edited: wanted.columns },
      ],
    });
    expect(await cells(shop(), "variants", "components.title", "", "tea")).toEqual([null, "Large"]);
  });
});
