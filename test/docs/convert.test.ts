/** @module-tag release */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { main } from "../../packages/cli/src/main.ts";
import { compileMap } from "../../packages/transform/src/map/compile-map.ts";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { clientWithRole, type TenantClient, tenantClient } from "../support/client.ts";
import { expectSession } from "../support/console-session.ts";
import { type ExampleService, openExampleService } from "../support/examples.ts";
import { runFile } from "../support/service.ts";
import { blocks, page } from "./pages.ts";

const file = "docs/convert.md";
const text = page(file);
const examples = new URL("../../examples/convert/", import.meta.url);
const listed = { type: "list", separator: "|" };
const silent = { write: () => true };

describe(file, () => {
  let service: ExampleService;
  let client: TenantClient;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "lading-convert-"));
    service = await openExampleService("pglite");
    client = await service.tenant("acme");
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const commands = (option: string) => blocks(text, "sh run").filter((command) => command.includes(option));
  const fetchable = (text: string) =>
    text.replace(
      /(?:https:)?\/\/images\.example\.com\/[\w-]+\.jpg/g,
      service.fetchable("https://images.example.com/sencha.png"),
    );

  /** Runs a command of the page, and then the file that it writes. Returns the operations of the file. */
  async function run(command: string): Promise<Record<string, unknown>[]> {
    const [, ...words] = command.trim().split(" ");
    const output = join(folder, words.pop()!);
    const args = words.map((word) =>
      /\.(?:csv|tsv|json)$/.test(word) ? new URL(word, examples).pathname : word,
    );
    const messages: string[] = [];
    const stderr = { write: (line: string) => messages.push(line) };
    expect(await main([...args, output], { stdout: silent, stderr }), messages.join("")).toBe(0);
    expect(await main(["mass-operation", "validate", output, "--strict"], { stdout: silent })).toBe(0);
    const written = await readFile(output, "utf8");
    const task = await runFile(client, fetchable(written));
    expect(task.log.filter(({ status }) => status !== "success")).toEqual([]);
    expect(task).toMatchObject({ status: "complete", issues: [], info: null });
    return JSON.parse(written).operations;
  }

  test("the three cases of docs/convert.md are converted, and every operation succeeds", async () => {
    const [products, shop, stock] = commands("--map");
    expect((await run(products!)).map(({ intent }) => intent)).toEqual([
      "shape/upsert",
      ...Array(2).fill(["product/upsert", "item/publish"]).flat(),
      "product/upsert",
    ]);
    const [, jacket] = await run(shop!);
    expect(jacket).toMatchObject({
      variants: [{ name: "Yellow / M" }, { name: "Yellow / L" }, { name: "Blue / M" }],
    });
    expect((await run(stock!)).map(({ sku, quantity }) => [sku, quantity])).toEqual([
      ["RJ-Y-M", 14],
      ["RJ-Y-L", 3],
      ["WH-1", 29],
    ]);
  });

  test("the presets of docs/convert.md are run, and every operation succeeds", async () => {
    for (const command of commands("--preset")) expect((await run(command)).length).toBeGreaterThan(1);
  });

  test("docs/migrate-from-shopify.md leads from the exports to a published shop", async () => {
    const guide = page("docs/migrate-from-shopify.md");
    const files = new URL("../../examples/migrate-from-shopify", import.meta.url).pathname;
    const location = { service, files, tenants: ["shop"], edit: fetchable };
    await expectSession(blocks(guide, "console").join(""), location);
    const shop = tenantClient(service.url, "shop", client.access);
    const reader = await clientWithRole(service, shop, "reader");
    const [query = ""] = blocks(guide, "graphql");
    const { items } = await reader.graphql<{ items: { edges: { node: object }[] } }>(query);
    const [jacket, hat, ...others] = items.edges.map(({ node }) => node);
    expect(jacket).toMatchObject({
      name: "Harbour jacket",
      topics: [{ name: "Jackets" }, { name: "outdoor" }, { name: "rain" }],
      variants: [
        { sku: "RJ-Y-M", priceVariants: [{ price: 89 }], stockLocations: [{ stock: 12 }] },
        { sku: "RJ-Y-L" },
        { sku: "RJ-B-M", attributes: [{ value: "Blue" }, { value: "M" }] },
      ],
    });
    expect([hat, others]).toMatchObject([{ name: "Wool hat" }, []]);
  });

  test("docs/migrate-from-contentful.md leads from the export to published documents", async () => {
    const guide = page("docs/migrate-from-contentful.md");
    const files = new URL("../../examples/migrate-from-contentful", import.meta.url).pathname;
    const location = { service, files, tenants: ["site"], edit: fetchable };
    await expectSession(blocks(guide, "console").join(""), location);
    const site = tenantClient(service.url, "site", client.access);
    const reader = await clientWithRole(service, site, "reader");
    const [query = ""] = blocks(guide, "graphql");
    const { items } = await reader.graphql<{ items: { edges: { node: object }[] } }>(query);
    expect(items.edges.map(({ node }) => node)).toMatchObject([
      { name: "Green tea" },
      { name: "Ada", components: [{ componentId: "name" }, { componentId: "portrait" }] },
    ]);
  });

  test("images in a cell become a variant's, as docs/convert.md says", async () => {
    const images = blocks(text, "json").find((block) => block.includes('"$each": "Images"')) ?? "";
    const shape = { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product" };
    const product = {
      ...{ intent: "product/upsert", resourceIdentifier: "[[SKU]]", language: "en" },
      ...{ shapeIdentifier: "tea", name: "[[SKU]]", vatTypeId: "{{ defaults.vatTypeIds.[0] }}" },
      tree: { parentId: "{{ defaults.rootItemId }}" },
      variants: [{ sku: "[[SKU]]", name: "Tin", isDefault: true, ...JSON.parse(images) }],
    };
    const columns = { Images: { type: "list", separator: "|" } };
    const [table, map] = [join(folder, "images.csv"), join(folder, "images-map.json")];
    const url = (name: string) => `https://images.example.com/${name}.jpg`;
    await writeFile(table, `SKU,Images\nsencha-tin,${url("front")}|${url("back")}\n`);
    await writeFile(map, JSON.stringify({ columns, before: [shape], operations: [product] }));
    const [, written] = await run(`lading convert ${table} --map ${map} with-images.json`);
    const keys = ["front", "back"].map((name) => ({ key: `{{ upload "${url(name)}" }}` }));
    expect(written).toMatchObject({ variants: [{ images: keys }] });
  });

  test("the maps of docs/convert.md are valid, and parts of them within one", () => {
    const columns = Object.fromEntries(["Images", "Tags"].map((name) => [name, listed]));
    const Options = { ...listed, entries: listed };
    for (const block of blocks(text, "json")) {
      const part = JSON.parse(block);
      const operation = { intent: "customer/upsert", identifier: "[[Id]]", type: "individual" };
      const operations = ["intent" in part ? part : { ...operation, meta: [part] }];
      const isMap = "operations" in part || "columns" in part;
      const map = isMap
        ? { operations: [operation], ...part }
        : { columns: { ...columns, Options }, operations };
      expect(compileMap(JSON.stringify(map)).problems, block).toBeUndefined();
    }
  });

  test("docs/convert.md has every code of an issue; `npm run generate` renews it", () => {
    expect(withTables(file, text)).toBe(text);
  });
});
