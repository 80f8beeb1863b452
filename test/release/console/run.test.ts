import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { row, workbook } from "../../../packages/transform/test/workbooks.ts";
import { type Access, clientWithRole } from "../../support/client.ts";
import { finished, runFile, tokenHeaders } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const shape = { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product", components: [] };
const vatType = { intent: "vatType/upsert", name: "Food", percent: 12 };
const priceVariant = { intent: "priceVariant/upsert", identifier: "club", name: "Tea club", currency: "EUR" };

/** A product with a variant in an unknown price list. */
const product = (i: number) => ({
  intent: "product/upsert",
  resourceIdentifier: `tea-${i}`,
  language: "en",
  shapeIdentifier: "tea",
  name: `Tea ${i}`,
  vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
  variants: [
    { sku: `tea-${i}`, name: `Tea ${i}`, isDefault: true, priceVariants: [{ identifier: "club", price: 4 }] },
  ],
});

const group = (i: number) => ({
  intent: "customer/group/upsert",
  identifier: `group-${i}`,
  name: `Group ${i}`,
});
const groups = (count: number) => Array.from({ length: count }, (_, i) => group(i));

/** A map of stock counts. */
const stockMap = {
  columns: { count: "number" },
  operations: [
    {
      intent: "product/variant/stock/modify",
      sku: "[[sku]]",
      stockLocationIdentifier: "default",
      operation: "overwrite",
      quantity: "[[count]]",
    },
  ],
};

/** An export of Shopify: a product with two variants, and a draft. */
const shopifyExport = `${[
  "Handle,Title,Body (HTML),Vendor,Type,Tags,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty",
  "Variant Price,Image Src,Image Alt Text,SEO Title,SEO Description,Status",
].join()}
mug,Harbour mug,<p>Stoneware</p>,Kiln,Mugs,"blue, kitchen",Color,Blue,mug-blue,4,12.50,,,,,active
mug,,,,,,,Gold,mug-gold,2,14,,,,,
jug,Jug,,Kiln,Jugs,kitchen,Title,Default Title,jug,1,30,,,,,draft
`;

const fileOf = (...operations: object[]) => `${JSON.stringify({ version: "1.0.0", operations }, null, 2)}\n`;

/** Maximum growth of the page's heap while it checks a file of 20 MiB, in bytes: half of the file. */
const mostGrowth = 10 * 1024 ** 2;

describeConsole("the page that runs a file", () => {
  let browser: ConsoleBrowser;
  let folder: string;

  beforeAll(async () => {
    browser = await openConsole();
    browser.page.setDefaultTimeout(60_000);
    folder = await mkdtemp(join(tmpdir(), "lading-run-"));
    await runFile(browser.tenant, fileOf(shape, vatType));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  const seen = (wanted: string | RegExp) =>
    browser.page.getByText(wanted).filter({ visible: true }).first().waitFor();
  const button = (name: string | RegExp) => browser.page.getByRole("button", { name });
  const editor = () => browser.page.getByRole("textbox", { name: /^Mass operation file/ });
  const editedText = () => editor().innerText();
  const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 60_000 });
  const hasKeyboard = () =>
    browser.page.evaluate<boolean>('document.activeElement.classList.contains("cm-content")');
  const issues = () => browser.page.getByRole("list", { name: "Issues" }).getByRole("button");
  const option = (label: string) => browser.page.getByRole("option", { name: label }).first();
  const heapOf = async () => {
    await browser.page.evaluate("gc()");
    return browser.page.evaluate<number>("performance.memory.usedJSHeapSize");
  };
  const path = () => new URL(browser.page.url()).pathname;
  const task = () => path().split("/").at(-1) ?? "";
  const shown = async (name: string) => {
    await browser.expectAccessible();
    await browser.shoot(name);
  };
  const signIn = async ({ accessTokenId, accessTokenSecret }: Access) => {
    await browser.page.getByLabel("Token id").fill(accessTokenId);
    await browser.page.getByLabel("Secret").fill(accessTokenSecret);
    await browser.press("Enter");
    await editor().waitFor();
  };
  const drop = (name: string, content: string) => dropAll({ [name]: content });
  /** Drops files by their names. */
  const dropAll = async (files: Record<string, string>) => {
    const dataTransfer = await browser.page.evaluateHandle(
      `(() => { const transfer = new DataTransfer();
         for (const [name, content] of ${JSON.stringify(Object.entries(files))})
           transfer.items.add(new File([content], name));
         return transfer; })()`,
    );
    // The editor is there, also while it is hidden.
    const target = browser.page.locator(".cm-content");
    for (const event of ["dragover", "drop"]) await target.dispatchEvent(event, { dataTransfer });
  };
  const choose = (...paths: string[]) =>
    browser.page.getByLabel("Mass operation file", { exact: true }).setInputFiles(paths);
  const write = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  /** Writes 20 MiB of groups; the last one has a number as its name. */
  const writeLarge = async () => {
    const path = join(folder, "large.json");
    const file = createWriteStream(path);
    file.write('{ "version": "1.0.0", "operations": [\n');
    for (let i = 0; i < 160_000; i++)
      if (!file.write(`${JSON.stringify({ ...group(i), name: `Group ${i}, ${"x".repeat(50)}` })},\n`))
        await once(file, "drain");
    file.end('{ "intent": "customer/group/upsert", "identifier": "last",\n"name": 12 } ] }\n');
    await once(file, "close");
    return path;
  };
  const markedLines = () =>
    browser.page.evaluate<number[]>(
      `[...document.querySelectorAll(".cm-gutter-lint .cm-lint-marker")].map((marker) => {
         const { top } = marker.closest(".cm-gutterElement").getBoundingClientRect();
         const numbers = [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")];
         return Number(numbers.find((each) => each.getBoundingClientRect().top === top).textContent); })`,
    );

  test("marks the errors of a dropped file where the service finds them, and starts no task", async () => {
    const { page, tenant } = browser;
    const invalid = fileOf(...groups(60), product(1), { ...product(2), nam: "Tea 2", name: 2 }, product(3));
    const named = await runFile(tenant, invalid);
    await page.context().clearCookies();
    await browser.open("/@shop/run");
    await signIn(tenant.access);
    await seen("No file yet");
    await shown("run-empty");
    await drop("teas.json", invalid);
    await issues().first().waitFor();
    expect(named.issues.map(({ severity }) => severity)).toEqual(["error", "warning"]);
    const texts = await issues().allTextContents();
    for (const [i, { line, column, message }] of named.issues.entries()) {
      expect(texts[i]).toContain(`line ${line}, column ${column}`);
      expect(texts[i]).toContain(message);
    }
    await issues().first().focus();
    await browser.press("Enter");
    const lines = named.issues.map(({ line }) => line).sort((one, other) => one - other);
    await eventually(markedLines).toEqual(lines);
    await seen("Fix 1 error first.");
    expect([await button("Plan").isDisabled(), await button("Run …").isDisabled()]).toEqual([true, true]);
    await shown("run-invalid");
  });

  test("lets you fix the file by keyboard, and plans it", async () => {
    const { page, tenant } = browser;
    // The cursor is before the number that should be a string.
    await browser.press("Delete");
    await page.keyboard.type('"Tea 2');
    await eventually(() => issues().count()).toBe(1);
    await eventually(() => button("Plan").isEnabled()).toBe(true);
    await page.getByLabel("Strict").check();
    await seen(/^Fix 1 warning first/);
    await page.getByLabel("Strict").uncheck();
    await button("Plan").click();
    await page.waitForURL(/\/tasks\/\w+$/);
    await page.getByRole("heading", { name: "Plan" }).waitFor();
    const { progress } = await finished(tenant, task());
    expect([progress.succeeded, progress.failed]).toEqual([60, 3]);
  });

  test("keeps the plan's file when going back, and runs it with progress", async () => {
    const { page, tenant } = browser;
    const planned = task();
    await page.goBack();
    await seen("63 operations");
    expect([path(), new URL(page.url()).search]).toEqual(["/console/@shop/run", `?task=${planned}`]);
    await page.getByLabel(/^Hold after/).fill("30");
    await button("Run …").click();
    await page.getByRole("alertdialog").waitFor();
    await shown("run-question");
    await button("Run 63 operations").click();
    await page.waitForURL((url) => /\/tasks\/\w+$/.test(url.pathname) && !url.pathname.endsWith(planned));
    await seen("held");
    const progress = page.getByRole("progressbar", { name: "Progress" });
    expect(await progress.getAttribute("aria-valuenow")).toBe("30");
    await button("Resume …").click();
    await button("Resume").last().click();
    await eventually(() => progress.getAttribute("aria-valuenow")).toBe("63");
    await finished(tenant, task());
  });

  test("leads to the cause of failures, and to a retry once it is fixed", async () => {
    const { page, tenant } = browser;
    const run = task();
    const cause = page.getByRole("region", { name: "Causes of failures" }).getByRole("listitem");
    await cause.filter({ hasText: "3 ×" }).getByRole("link").first().click();
    await seen("3 operations");
    await seen(/price variant.*club/);
    await runFile(tenant, fileOf(priceVariant));
    await button("Retry …").click();
    await button("Retry 3").click();
    await page.waitForURL((url) => !url.pathname.endsWith(run));
    const { status, progress } = await finished(tenant, task());
    expect([status, progress.succeeded, progress.failed]).toEqual(["complete", 3, 0]);
    await seen("complete");
    await shown("run-repaired");
  });

  test("opens a task's file in the editor again, with its issues", async () => {
    const { id } = await runFile(browser.tenant, fileOf({ ...group(1), name: 1 }));
    await browser.open(`/@shop/run?task=${id}`);
    await seen("Fix 1 error first.");
    await eventually(markedLines).toEqual([7]);
    await browser.open("/@shop/run?task=gone");
    await browser.page.getByRole("alert").getByText(/gone/).waitFor();
    expect(browser.reports.splice(0).filter((report) => !report.includes("404"))).toEqual([]);
  });

  test("completes input from the JSON Schema, and lets Tab leave the editor", async () => {
    const { page } = browser;
    await browser.open("/@shop/run");
    await button("Insert an empty file").click();
    await page.keyboard.type('{ "int');
    await option("intent").click();
    await option("pricelist/create").waitFor();
    await page.keyboard.type("customer/group/ups");
    await option("customer/group/upsert").click();
    await page.keyboard.type(', "identi');
    await option("identifier").waitFor();
    await shown("run-completion");
    await browser.press("Enter");
    await page.keyboard.type("vip");
    await eventually(editedText).toContain('{ "intent": "customer/group/upsert", "identifier": "vip"}');
    await seen("1 operation");
    await browser.press("Tab");
    expect(await hasKeyboard()).toBe(true);
    await browser.press("Escape", "Tab");
    expect(await hasKeyboard()).toBe(false);
  });

  test("keeps edits across pages, and confirms before replacing them", async () => {
    const { page, tenant } = browser;
    const edited = /"vip"[^?]*[?]\s*$/;
    await editor().focus();
    // Left before the debounced check ran.
    await browser.press("ControlOrMeta+End", "?");
    await page.getByRole("link", { name: "Tasks" }).click();
    await page.waitForURL(/\/tasks$/);
    await page.getByRole("link", { name: "Run", exact: true }).click();
    await eventually(editedText).toMatch(edited);
    await seen("Fix 1 error first.");
    const { id } = await runFile(tenant, fileOf(group(8)));
    await page.getByRole("link", { name: "Tasks" }).click();
    await page.locator(`a[href$="/tasks/${id}"]`).click();
    await page.getByRole("tab", { name: "About" }).click();
    await page.getByText("File", { exact: true }).locator("..").getByRole("link").click();
    await page.getByRole("link", { name: "Edit and run again" }).click();
    await page
      .getByRole("alertdialog")
      .getByText(/the file of the task/)
      .waitFor();
    await browser.press("Escape");
    await page.waitForURL((url) => url.pathname.endsWith("/run") && url.search === "");
    expect(await editedText()).toMatch(edited);
    await drop("other.json", fileOf(group(1)));
    await page.getByRole("alertdialog").waitFor();
    await browser.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    expect(await editedText()).toContain('"vip"');
    await drop("other.json", fileOf(group(1), group(2)));
    await button("Replace").click();
    await seen("2 operations");
    expect(await editedText()).toContain('"group-2"');
    await page.getByRole("link", { name: "Tasks" }).click();
    await page.waitForURL(/\/tasks$/);
  });

  test("shows why the service refuses a file, and keeps the file", async () => {
    const { page, tenant } = browser;
    await browser.open("/@shop/run");
    await editor().fill(fileOf(group(7)));
    await eventually(() => button("Plan").isEnabled()).toBe(true);
    for (const [address, status, reason] of [
      ["**/@shop", 413, "the body is too large"],
      ["**/@shop", 431, "The service, or a proxy before it, answered 431"],
      ["**/uploads", 403, "the form has expired"],
      ["**/uploads", 0, "does not answer"],
    ] as const) {
      await page.route(address, (route) =>
        status === 0
          ? route.abort("connectionrefused")
          : status === 431
            ? route.fulfill({ status, body: "<html><h1>Request Header Fields Too Large</h1></html>" })
            : route.fulfill({ status, json: { message: reason } }),
      );
      await button("Plan").click();
      await page.getByRole("alert").getByText(reason).waitFor();
      await page.unroute(address);
    }
    await shown("run-refused");
    expect(await editedText()).toContain('"group-7"');
    await button("Plan").click();
    await page.waitForURL(/\/tasks\/\w+$/);
    expect((await finished(tenant, task())).progress.succeeded).toBe(1);
    expect(browser.reports.splice(0).filter((report) => !/413|431|403|ERR_/.test(report))).toEqual([]);
  });

  test("says that a task may have started if the page is left while it is created", async () => {
    const { page } = browser;
    await browser.open("/@shop/run");
    await editor().fill(fileOf(group(6)));
    await eventually(() => button("Plan").isEnabled()).toBe(true);
    await page.route("**/@shop", (route, request) =>
      request.postData()?.includes("mutation CreateTask")
        ? route.fulfill({ status: 503, json: { message: "stopping" } })
        : route.continue(),
    );
    await button("Plan").click();
    await seen("Starting the plan …");
    await page.getByRole("link", { name: "Tasks" }).click();
    await page.getByRole("grid", { name: "Tasks" }).waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("link", { name: "Run", exact: true }).click();
    await page.getByRole("alert").getByText("it may have started").waitFor();
    expect(await editedText()).toContain('"group-6"');
    await button("Plan").click();
    await page.waitForURL(/\/tasks\/\w+$/);
    expect(browser.reports.splice(0).filter((report) => !/503/.test(report))).toEqual([]);
  });

  test("leads nobody to a task who chose another page while it was created", async () => {
    const { page } = browser;
    await browser.open("/@shop/run");
    await editor().fill(fileOf(group(8)));
    await eventually(() => button("Plan").isEnabled()).toBe(true);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/@shop", (route, request) =>
      request.postData()?.includes("mutation CreateTask")
        ? held.then(() => route.continue())
        : route.continue(),
    );
    const created = page.waitForResponse((response) =>
      Boolean(response.request().postData()?.includes("mutation CreateTask")),
    );
    await button("Plan").click();
    await seen("Starting the plan …");
    // The page Run stays until the script of the next one has come.
    await page.route("**/*.js", (route) => created.then(() => route.continue()));
    await page.getByRole("link", { name: "Browse", exact: true }).click();
    await page.waitForURL(/\/browse$/);
    answer();
    await created;
    await page.getByRole("navigation", { name: "Kinds" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/@shop/browse");
    await page.unrouteAll({ behavior: "wait" });
  });

  test("checks 20 MiB without keeping them in memory, and shows the lines of an issue", async () => {
    const { page } = browser;
    const large = await writeLarge();
    await browser.open("/@shop/run");
    await editor().waitFor();
    const before = await heapOf();
    await choose(large);
    await issues().first().waitFor();
    await seen("160,001 operations");
    const growth = (await heapOf()) - before;
    console.info(`grew by ${growth} bytes`);
    expect(growth).toBeLessThan(mostGrowth);
    await issues().first().click();
    const marked = page.getByRole("region", { name: "Lines of the file" }).locator("mark");
    await marked.waitFor();
    await seen('"name": 12');
    await shown("run-large");
  });

  test("decompresses a gzip file, and sends its content", async () => {
    const { page, tenant } = browser;
    const name = "groups.json.gz";
    await browser.open("/@shop/run");
    await editor().waitFor();
    await choose(await write(name, gzipSync(fileOf(...groups(3)))));
    await seen("3 operations");
    await seen("groups.json");
    expect(await editedText()).toContain('"group-2"');
    const large = fileOf(...groups(25_000).map((each) => ({ ...each, name: each.name.padEnd(160, " x") })));
    await choose(await write(name, gzipSync(large)));
    await seen("25,000 operations");
    await seen(/^Sent unchanged: it is larger than the editor’s limit of 5 MiB/);
    await button("Plan").click();
    await page.waitForURL(/\/tasks\/\w+$/);
    const sent = await fetch(`${tenant.address}/tasks/${task()}/file`, { headers: tokenHeaders(tenant) });
    expect((await sent.text()) === large).toBe(true);
    await seen("complete");
  });

  test("marks the cells of a dropped table that are wrong, and opens it as operations once they are right", async () => {
    const { page } = browser;
    await browser.open("/@shop/run");
    await editor().waitFor();
    await editor().fill(fileOf(group(1)));
    await drop("stock.csv", "sku,count\ntea-1,5\ntea-2,twelve\n");
    await seen(/^Choose what its rows become/);
    await drop("stock.json", JSON.stringify(stockMap));
    await seen("Fix 1 error first.");
    const wrong = page.getByRole("region", { name: "Line 3" });
    await wrong.getByText('"twelve" is not a number').waitFor();
    await page.getByRole("list", { name: "Issues" }).getByText("line 3").waitFor();
    expect(await button("Open as operations").isDisabled()).toBe(true);
    await shown("run-table-invalid");
    await drop("stock.csv", "sku,count\ntea-1,5\ntea-2,12\n");
    await seen("2 operations of 2 rows");
    await button("Open as operations").click();
    await button("Replace").click();
    await eventually(editedText).toContain('"sku":"tea-2"');
    await seen("stock.json");
  });

  test("runs another system's export, converted by a preset", async () => {
    const { page, tenant } = browser;
    await browser.open("/@shop/run");
    await drop("products_export.csv", shopifyExport);
    await page.getByRole("combobox", { name: /^Map/ }).selectOption("shopify-products");
    await seen(/^\d operations of 3 rows/);
    await button("Open as operations").click();
    await button("Run …").click();
    await button(/^Run \d operations/).click();
    await page.waitForURL(/\/tasks\/\w+$/);
    const { status, progress } = await finished(tenant, task());
    expect([status, progress.failed]).toEqual(["complete", 0]);
  });

  test("plans, runs and undoes the edited cell of an exported sheet", async () => {
    const { page, tenant } = browser;
    const exported = async (format: string) => {
      const address = `${tenant.address}/export?kind=prices&where=sku+=+tea-*&format=${format}`;
      return (await fetch(address, { headers: tokenHeaders(tenant) })).text();
    };
    const [sheet, map] = [await exported("csv"), await exported("map")];
    const edited = sheet.replace(/^tea-2,club,4,/m, "tea-2,club,4.5,");
    expect(edited).not.toBe(sheet);
    await browser.open("/@shop/run");
    await drop("prices.csv", edited);
    await seen(/^This sheet was exported. Choose its map/);
    await drop("prices.map.json", map);
    await seen("1 operation of 3 rows");
    await seen("2 unedited rows left out");
    await page.getByText("All cells").click();
    await seen("3 operations of 3 rows");
    await page.getByText("All cells").click();
    await seen("1 operation of 3 rows");
    await shown("run-sheet-map");
    await button("Open as operations").click();
    await page.getByRole("main").and(page.locator(":focus")).waitFor();
    await button("Plan").click();
    await page.waitForURL(/\/tasks\/\w+$/);
    const plan = task();
    await button("Run this plan …").click();
    await button("Run this plan").last().click();
    await page.waitForURL((url) => !url.pathname.endsWith(plan));
    await seen("complete");
    expect(await exported("csv")).toContain("tea-2,club,4.5,");
    const run = task();
    await button("Undo …").click();
    await page.getByLabel(/Preview/).uncheck();
    await button("Undo").last().click();
    await page.waitForURL((url) => !url.pathname.endsWith(run));
    await seen("complete");
    expect(await exported("csv")).toContain("tea-2,club,4,");
  });

  test("plans, runs and undoes a bulk edit of the rows that Browse exports, but for those unchecked", async () => {
    const { page, tenant } = browser;
    const price = (i: number) => ({ priceVariants: [{ identifier: "club", price: i }] });
    const bulk = (sku: string, more: object) => ({
      ...{ ...product(0), resourceIdentifier: sku },
      variants: [{ sku, name: sku, isDefault: true, ...more }],
    });
    const priced = { "bulk-1": 4.35, "bulk-2": 10, "bulk-3": 20 };
    const { progress } = await runFile(
      tenant,
      fileOf(
        ...[shape, vatType, priceVariant, bulk("bulk-0", {}), bulk("other", price(5))],
        ...Object.entries(priced).map(([sku, each]) => bulk(sku, price(each))),
      ),
    );
    expect(progress.failed).toBe(0);
    const prices = async () => {
      const address = `${tenant.address}/export?kind=prices&columns=price&where=price+>+0&format=ndjson`;
      const answer = await fetch(address, { headers: tokenHeaders(tenant) });
      const rows = (await answer.text()).trim().split("\n");
      return Object.fromEntries(
        rows.map((row) => JSON.parse(row)).map((cells) => [cells.sku, cells.price] as const),
      );
    };
    const before = await prices();
    expect(before).toMatchObject({ ...priced, other: 5 });
    await browser.open("/@shop/browse/variants");
    await page.getByRole("link", { name: "Export or edit these" }).click();
    await page.getByLabel("Conditions").fill("sku = bulk-*");
    await page.waitForURL(/where=/);
    await page.getByRole("combobox", { name: /^Column/ }).selectOption("price.club");
    await page.getByRole("combobox", { name: /^Change/ }).selectOption("change by percent");
    await page.getByLabel("Percent", { exact: true }).fill("ten");
    await seen(/^Write a number/);
    expect(await button("Make operations").count()).toBe(0);
    await page.getByLabel("Percent", { exact: true }).fill("10");
    await seen("3 of 4 rows will change");
    await page.getByRole("checkbox", { name: "bulk-3" }).uncheck();
    await seen("2 of 4 rows will change");
    const changes = page.getByRole("region", { name: "Changes" }).getByRole("row");
    expect(await changes.allTextContents()).toEqual([
      "RowNameOldNew",
      "bulk-1 bulk-14.354.79",
      "bulk-2 bulk-21011",
      "bulk-3 bulk-32022",
    ]);
    await shown("bulk-edit");
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate("document.querySelector('main').scrollWidth")).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await button("Make operations").click();
    await eventually(editedText).toContain('"price":4.79');
    await seen("2 operations");
    await button("Plan").click();
    await page.waitForURL(/\/tasks\/\w+$/);
    const plan = task();
    await button(/^would update 2/).waitFor();
    expect(await prices()).toEqual(before);
    await button("Run this plan …").click();
    await button("Run this plan").last().click();
    await page.waitForURL((url) => !url.pathname.endsWith(plan));
    await seen("complete");
    expect(await prices()).toEqual({ ...before, "bulk-1": 4.79, "bulk-2": 11 });
    const run = task();
    await button("Undo …").click();
    await page.getByLabel(/Preview/).uncheck();
    await button("Undo").last().click();
    await page.waitForURL((url) => !url.pathname.endsWith(run));
    await seen("complete");
    expect(await prices()).toEqual(before);
  });

  test("asks which sheet of a workbook is to be converted", async () => {
    const { page } = browser;
    const sheets = {
      Berlin: row("sku", "count") + row("tea-1", 3),
      Oslo: row("sku", "count") + row("tea-2", 4),
    };
    await browser.open("/@shop/run");
    await editor().waitFor();
    await choose(
      await write("stock.xlsx", Buffer.from(workbook({ sheets }))),
      await write("stock.map.json", JSON.stringify(stockMap)),
    );
    await seen("The workbook has several sheets with cells. Choose one.");
    await page.getByRole("combobox", { name: /^Sheet/ }).selectOption("Oslo");
    await seen("1 operation of 1 row");
    await button("Open as operations").click();
    await eventually(editedText).toContain('"sku":"tea-2"');
    await seen("no issues");
  });

  /** Converts a table of 100,000 rows: what it took, and what the page has in memory afterwards. */
  async function convertLarge() {
    const inspector = await browser.page.context().newCDPSession(browser.page);
    await inspector.send("Performance.enable");
    const cpuSeconds = async () => {
      const { metrics } = await inspector.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "ProcessTime")?.value ?? Number.NaN;
    };
    const rows = Array.from(
      { length: 100_000 },
      (_, i) => `tea-${i},${i % 90},${"a,b,c,d,e,f,g".replaceAll(/\w/g, `$&${i}`)}`,
    );
    const table = await write("stock.csv", `sku,count,a,b,c,d,e,f,g,\n${rows.join(",\n")},\n`);
    const map = await write("stock.map.json", JSON.stringify(stockMap));
    await browser.open("/@shop/run");
    await editor().waitFor();
    const before = await heapOf();
    const [began, beganCpu] = [performance.now(), await cpuSeconds()];
    await choose(table, map);
    await seen("100,000 operations of 100,000 rows");
    await button("Open as operations").click();
    await seen(/^Sent unchanged/);
    const cpu = (await cpuSeconds()) - beganCpu;
    const seconds = (performance.now() - began) / 1_000;
    const growth = (await heapOf()) - before;
    await inspector.detach();
    console.info(`opened in ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU, grew by ${growth} bytes`);
    return { seconds, cpu, growth };
  }

  test("converts a table of 100,000 rows in a minute, without keeping it in memory", async () => {
    const { seconds, growth } = await convertLarge();
    expect(growth).toBeLessThan(mostGrowth);
    expect(seconds).toBeLessThan(60);
  });

  // Repeated: other programs on the machine cost a page CPU too.
  test("converts a table of 100,000 rows in less than 5 seconds of CPU", { retry: 2 }, async () => {
    expect((await convertLarge()).cpu).toBeLessThan(5);
  });

  test("tells a reader that they can check files, but not run them", async () => {
    const { page, service, tenant } = browser;
    const reader = await clientWithRole(service, tenant, "reader");
    await page.context().clearCookies();
    await browser.open("/@shop/run");
    await signIn(reader.access);
    await drop("one.json", fileOf(group(1)));
    await seen("no issues");
    await seen(/You have the role reader/);
    expect([await button("Plan").count(), await button("Run …").count()]).toEqual([0, 0]);
    await shown("run-reader");
    await browser.open("/@shop/browse/variants");
    await page.getByRole("link", { name: "Export these" }).click();
    await page.getByRole("link", { name: "Download the table" }).waitFor();
    expect(await page.getByRole("heading", { name: "Edit in bulk" }).count()).toBe(0);
    const kinds = await page.getByRole("combobox", { name: /^Kind/ }).getByRole("option").allTextContents();
    expect(kinds).toEqual(["products", "variants", "prices", "stock", "content", "topics", "images"]);
    await browser.open("/@shop/browse/customers");
    await seen("No customers yet");
    expect(await page.getByRole("link", { name: /^Export/ }).count()).toBe(0);
  });
});
