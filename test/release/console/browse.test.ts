import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openExampleHost } from "../../support/examples.ts";
import { finished, runFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

describeConsole("the pages to browse a tenant", () => {
  let browser: ConsoleBrowser;
  let host: Awaited<ReturnType<typeof openExampleHost>>;

  beforeAll(async () => {
    host = await openExampleHost();
    browser = await openConsole({ imageHosts: ["127.0.0.1"] });
    browser.page.setDefaultTimeout(10_000);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  const seen = (wanted: string | RegExp) =>
    browser.page.getByText(wanted).filter({ visible: true }).first().waitFor();
  const search = () => Object.fromEntries(new URL(browser.page.url()).searchParams);
  const grid = (name: string) => browser.page.getByRole("grid", { name });
  const row = (table: string, wanted: string | RegExp) =>
    grid(table).getByRole("row").filter({ hasText: wanted }).first();
  const language = (label = "Language") =>
    browser.page.getByRole("combobox", { name: new RegExp(`^${label}`) });
  /** Chooses a language by the keyboard alone. */
  const choose = async (text: string, label?: string) => {
    await language(label).focus();
    await browser.press("Enter");
    await browser.page.getByRole("listbox").waitFor();
    await browser.page.keyboard.type(text);
    await browser.page
      .getByRole("listbox")
      .getByRole("option", { name: text })
      .first()
      .and(browser.page.locator("[data-highlighted]"))
      .waitFor();
    await browser.press("Enter");
  };
  const shown = async (name: string) => {
    await browser.expectAccessible();
    await browser.shoot(name);
  };

  test("suggest a next step if a tenant has no items, or none of a kind", async () => {
    await browser.open("/@shop/browse");
    await seen("lading mass-operation run shop operations.json");
    const [title, command] = await Promise.all(
      ["No items yet", /^lading mass-operation run/].map((text) =>
        browser.page.getByText(text).first().boundingBox(),
      ),
    );
    expect((command?.y ?? 999) - (title?.y ?? 0), "from the title to the command").toBeLessThan(120);
    await shown("browse-empty");
    await browser.page.getByRole("link", { name: "Run a file here" }).click();
    await browser.page.getByRole("heading", { name: "Run a file" }).waitFor();
    await browser.open("/@shop/browse/price-lists");
    await seen("No price lists yet");
    await seen(/pricelist\/create/);
    const { status } = await runFile(browser.tenant, JSON.parse(host.fetchable(host.everyIntent)));
    expect(status).toBe("complete");
  });

  test("refuse an item that does not exist, and say so", async () => {
    await browser.open("/@shop/browse/items/000000000000000000000000");
    await browser.page.getByRole("alert").getByText("ItemNotFoundError").waitFor();
  });

  test("say so if a search finds nothing", async () => {
    await browser.open("/@shop/browse?text=no-such-thing");
    await seen("No matches");
  });

  test("unfold folders, and list the content of the one in the URL", async () => {
    const { page } = browser;
    await browser.open("/@shop/browse");
    await row("Items", "Teas").waitFor();
    await page.getByRole("button", { name: "Folders in Teas" }).click();
    await seen("No folders");
    await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "Teas" }).click();
    await row("Items", "Sencha").waitFor();
    expect(search()).toEqual({ folder: expect.stringMatching(/^\w{24}$/) });
    await row("Items", "Sencha").getByText("published").waitFor();
    await shown("browse");
    await page.reload();
    await row("Items", "Sencha").waitFor();
  });

  test("refuse to export by conditions that a kind lacks, and say what would be right", async () => {
    const { page } = browser;
    await browser.open("/@shop/browse/variants");
    await page.getByRole("link", { name: "Export or edit these" }).click();
    await page.getByRole("link", { name: "Download the table" }).waitFor();
    await page.getByLabel("Conditions").fill("skuu = sencha-*");
    await page
      .getByRole("alert")
      .getByText(/"skuu" is not known.*sku/)
      .waitFor();
    expect(await page.getByRole("link", { name: "Download the table" }).count()).toBe(0);
    await shown("export-refused");
    expect(browser.reports.splice(0)).toEqual([expect.stringContaining("400")]);
  });

  test("say that a search cannot be exported, rather than export more without a word", async () => {
    await browser.open("/@shop/browse?text=sencha&kind=variant");
    await browser.page.getByRole("link", { name: "Export or edit these" }).click();
    await seen(/^A search cannot be exported: these are all variants/);
    await browser.open("/@shop/browse?text=story&kind=shape");
    await row("Found", "story").waitFor();
    expect(await browser.page.getByRole("link", { name: /^Export/ }).count()).toBe(0);
  });

  test("export the rows of the folder that is shown, and the map that brings them back", async () => {
    const { page } = browser;
    const download = async (name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name, exact: true }).click(),
      ]);
      return { name: file.suggestedFilename(), text: `${await buffer(await file.createReadStream())}` };
    };
    await browser.open("/@shop/browse");
    await row("Items", "Teas").waitFor();
    await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "Teas" }).click();
    await row("Items", "Sencha").waitFor();
    const names = await grid("Items").getByRole("row").filter({ hasText: "product" }).count();
    await page.getByRole("link", { name: "Export or edit these" }).click();
    await page.getByRole("checkbox", { name: /^published/ }).uncheck();
    await page.waitForURL(/columns=/);
    await shown("export");
    const table = await download("Download the table");
    expect(table.name).toBe("shop-products.csv");
    const [header, ...rows] = table.text.trimEnd().split("\n");
    expect(header).toBe("\ufeffitemId,path,name,externalReference,vatTypeId,_updatedAt,_exported");
    expect(rows).toHaveLength(names);
    expect(table.text).toContain(",Sencha,");
    const map = await download("Download its map");
    expect(map.name).toBe("shop-products.map.json");
    expect(JSON.parse(map.text).exported.of).toEqual(["path", "name", "externalReference", "vatTypeId"]);
  });

  test("name an item in another language where it has no name in this one, in the direction of its script", async () => {
    const { tenant } = browser;
    const product = (code: string, name: string) => ({
      ...{ intent: "product/upsert", resourceIdentifier: `foreign-${code}`, language: code, name },
      ...{ shapeIdentifier: "tea", vatTypeId: "{{ defaults.vatTypeIds.[0] }}" },
      variants: [{ sku: `foreign-${code}`, name, isDefault: true }],
    });
    const operations = [
      { intent: "language/upsert", code: "ar", name: "العربية" },
      product("ja", "玉露"),
      product("ar", "شاي أخضر"),
    ];
    const { status } = await runFile(tenant, {
      version: "1.0.0",
      operations: [...otherLanguages, ...operations],
    });
    expect(status).toBe("complete");
    await browser.open("/@shop/browse");
    await row("Items", "玉露").getByText("ja", { exact: true }).waitFor();
    const arabic = row("Items", "شاي أخضر").getByText("شاي أخضر");
    expect(await arabic.evaluate((name) => getComputedStyle(name).direction)).toBe("rtl");
    await browser.open("/@shop/browse/variants");
    await row("Variants", "شاي أخضر").getByText("ar", { exact: true }).waitFor();
    await browser.open("/@shop/browse?text=foreign-ja");
    await row("Found", "玉露").waitFor();
  });

  test("list what a search finds once, with all that matched", async () => {
    await browser.open("/@shop/browse?text=foreign-ar");
    await row("Found", "شاي أخضر").waitFor();
    expect(await grid("Found").getByRole("row").count()).toBe(1 + 2);
    await browser.open("/@shop/browse?text=okakura&kind=customer");
    await row("Found", "okakura").getByText("identifier").waitFor();
    expect(await grid("Found").getByRole("row").count()).toBe(1 + 1);
  });

  test("name the operation that changed an entity last, which shows what it created until that was changed", async () => {
    const { page, tenant } = browser;
    const upsert = (firstName: string) => ({
      version: "1.0.0",
      operations: [{ intent: "customer/upsert", identifier: "changed", firstName }],
    });
    const created = await runFile(tenant, upsert("Ann"));
    await browser.open("/@shop/browse/customers/changed");
    await page.getByRole("link", { name: "operation 0 of run operations.json" }).click();
    await page.waitForURL(new RegExp(`/tasks/${created.id}/operations/0$`));
    await page.getByRole("row").filter({ hasText: "/firstName" }).getByText("Ann").waitFor();
    const changed = await runFile(tenant, upsert("Bea"));
    await page.reload();
    await seen(/has changed since/);
    await browser.open("/@shop/browse/customers/changed");
    await page.locator(`a[href$="/tasks/${changed.id}/operations/0"]`).click();
    const values = page.getByRole("row").filter({ hasText: "/firstName" });
    await values.getByText("Ann").waitFor();
    await values.getByText("Bea").waitFor();
  });

  test("let a language of forty be chosen by the keyboard, on one line", async () => {
    const { page } = browser;
    await browser.open("/@shop/browse?text=sencha-100");
    await row("Found", "sencha-100").waitFor();
    await grid("Found").focus();
    await browser.press("Home", "Enter");
    await page.getByRole("heading", { name: "Sencha", exact: true }).waitFor();
    await language().click();
    const options = page.getByRole("listbox").getByRole("option");
    await options.nth(42).waitFor();
    expect(await options.count()).toBe(43);
    await shown("languages");
    await browser.press("Escape");
    const head = await page.locator("header").boundingBox();
    expect(head?.height).toBeLessThan(60);
    await choose("Japan");
    await page.waitForURL(/language=ja/);
    await choose("en", "Compare with");
    await page.waitForURL(/second=en/);
    await page.getByRole("region", { name: "ja", exact: true }).waitFor();
    await page.getByRole("region", { name: "en", exact: true }).getByText("Sencha, 100 g").first().waitFor();
    await shown("item-two-languages");
  });

  test("find a SKU from `/`, with the text in the URL, and open its product with Enter", async () => {
    const kind = browser.page.getByRole("combobox", { name: /^Kind/ });
    await browser.open("/@shop/browse");
    await row("Items", "Teas").waitFor();
    await grid("Items").focus();
    await browser.press("/");
    await browser.page.keyboard.type("NCHA-1");
    await row("Found", "sencha-100").waitFor();
    expect(search()).toMatchObject({ text: "NCHA-1" });
    await shown("browse-search");
    await kind.selectOption("item");
    await seen("No matches");
    await kind.selectOption("variant");
    await row("Found", "sencha-100").waitFor();
    await grid("Found").focus();
    await browser.press("Home", "Enter");
    await browser.page.getByRole("heading", { name: "Sencha", exact: true }).waitFor();
  });

  test("show the product of a variant from an operation, unless there is none", async () => {
    const modify = { intent: "product/variant/stock/modify", operation: "increase", quantity: 1 };
    const operations = ["sencha-100", "unknown"].map((sku) => ({
      ...modify,
      sku,
      stockLocationIdentifier: "default",
    }));
    const { id } = await runFile(browser.tenant, { version: "1.0.0", operations });
    await browser.open(`/@shop/tasks/${id}/operations/1`);
    await seen(/No product variant has the SKU/);
    expect(await browser.page.getByRole("link", { name: "unknown" }).count()).toBe(0);
    await browser.page.getByRole("link", { name: "Previous in file" }).click();
    await browser.page.getByRole("link", { name: "sencha-100" }).click();
    await browser.page.getByRole("heading", { name: "Sencha", exact: true }).waitFor();
  });

  test("show a product's languages, components, and variants with prices and stock", async () => {
    const { page } = browser;
    const variant = page.getByRole("row").filter({ hasText: "sencha-100" });
    await variant.getByText(/Tea club/).waitFor();
    await variant.getByText(/Tea house/).waitFor();
    await seen("Taste");
    await language().getByText("published").waitFor();
    const picture = page.getByRole("region", { name: "Variants" }).locator("img").first();
    expect(await picture.getAttribute("src")).toMatch(/^\/@shop\/thumbnails\/240\//);
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await shown("item");
    await page.getByRole("tab", { name: "Published", exact: true }).click();
    await page.waitForURL(/version=published/);
    await variant.waitFor();
    await choose("ja");
    await seen("Not published in this language");
    expect(search()).toMatchObject({ language: "ja" });
  });

  test("mark unpublished changes of a draft until they are undone", async () => {
    const { page, tenant } = browser;
    const run = async (operation: object) =>
      (await runFile(tenant, { version: "1.0.0", operations: [operation] })).id;
    const variant = { sku: "sencha-100", language: "en", name: "Sencha, one tin" };
    const renamed = await run({ intent: "product/variant/update", ...variant });
    await browser.open(`/@shop/browse?text=sencha-100`);
    await grid("Found").focus();
    await browser.press("Home", "Enter");
    await language().getByText("draft changed").waitFor();
    await page.getByRole("tab", { name: "Unpublished changes (1)" }).click();
    const change = page.getByRole("row").filter({ hasText: "variants/sencha-100/name" });
    await change.getByText('"Sencha, one tin"').waitFor();
    await shown("item-changed");
    const { undo } = await tenant.graphql<{ undo: { id: string } }>(
      `mutation ($id: ID!) { undo: undoBulkTask(id: $id, autoStart: true) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
      { id: renamed },
    );
    await finished(tenant, undo.id);
    await page.reload();
    await language().getByText("published").waitFor();
    await seen("No unpublished changes");
  });

  test("show a tenant's usage, limits and settings", async () => {
    const { page } = browser;
    await browser.open("/@shop/tenant");
    await page
      .getByText("Product variants")
      .locator("..")
      .getByText(/^[1-9]\d*$/)
      .waitFor();
    await seen("1 GiB");
    await shown("tenant-usage");
    await page.getByRole("tab", { name: "Settings" }).click();
    await page.getByRole("table", { name: "Markets" }).getByText("Tea lands").waitFor();
    await page.getByRole("table", { name: "Order pipelines" }).getByText("New → Packed").waitFor();
    await shown("tenant-settings");
  });

  test("show access tokens without secrets, and the command that creates one", async () => {
    await browser.page.getByRole("tab", { name: "Access tokens" }).click();
    await row("Access tokens", "first token").waitFor();
    await seen("lading token create shop --name my-import --expires 90d");
    expect(await browser.page.content()).not.toContain(browser.tenant.access.accessTokenSecret);
    await shown("tenant-tokens");
  });

  test("refuse a kind that does not exist", async () => {
    await browser.open("/@shop/browse/unicorns");
    await browser.page.getByRole("alert").getByText("unicorns").waitFor();
  });

  test("open a shape with its components next to the table with Enter, and close it", async () => {
    const { page } = browser;
    await browser.open("/@shop/browse/shapes");
    await row("Shapes", "story").waitFor();
    await grid("Shapes").focus();
    await browser.press("Home", "Enter");
    await page.getByRole("table", { name: "Components", exact: true }).waitFor();
    expect(search()).toEqual({ key: expect.any(String) });
    await shown("shapes");
    await page.reload();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("region", { name: "Details" }).waitFor({ state: "detached" });
    expect(search()).toEqual({});
  });

  test.each(["Pieces", "Price lists", "Topics", "Flows", "Images"])("list and show %s", async (title) => {
    const { page } = browser;
    await page.getByRole("navigation", { name: "Kinds" }).getByRole("link", { name: title }).click();
    await grid(title).getByRole("row").nth(1).waitFor();
    await grid(title).focus();
    await browser.press("Home", "Enter");
    await page.getByText("All fields as JSON").click();
    await page.getByRole("region", { name: "All fields" }).waitFor();
    await shown(title.toLowerCase());
  });

  test("show a customer with their group, addresses, orders and contracts", async () => {
    const { page } = browser;
    await browser.open("/@shop/browse?text=okakura&kind=customer");
    await row("Found", "okakura").getByRole("link").click();
    await page.getByRole("heading", { name: "Kakuzo Okakura" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/@shop/browse/customers/okakura");
    await seen("kakuzo@example.com");
    await seen("tea-club");
    await seen("Canal Road 4");
    const contract = page.getByRole("region", { name: "Subscription contracts" }).getByRole("row");
    await contract.filter({ hasText: "genmaicha-box" }).getByText("11.00 EUR").waitFor();
    await shown("customer");
    await page.getByRole("region", { name: "Orders" }).getByRole("link", { name: "order-1" }).click();
    await page.getByRole("heading", { name: "order-1" }).waitFor();
  });

  test("show an order with its lines, sums, payment and stages", async () => {
    const { page, tenant } = browser;
    const euro = { currency: "EUR" };
    const tax = { name: "VAT", percent: 25, amount: 5 };
    const order = {
      ...{ intent: "order/upsert", resourceIdentifier: "order-2", paymentStatus: "partiallyPaid" },
      customer: {
        ...{ identifier: "okakura", firstName: "Kakuzo", lastName: "Okakura" },
        addresses: [{ type: "billing", street: "Nihonbashi", streetNumber: "1", city: "Tokyo" }],
      },
      cart: [
        { sku: "sencha-100", name: "Sencha, 100 g", quantity: 2, price: { ...euro, gross: 12.5, net: 10 } },
        { sku: "sold-out", name: "نعناع", quantity: 1 },
      ],
      total: { ...euro, gross: 25, net: 20, tax },
      payment: [{ provider: "custom", custom: { properties: [{ property: "voucher", value: "V-77" }] } }],
      meta: [{ key: "channel", value: "shop floor" }],
    };
    const { status } = await runFile(tenant, { version: "1.0.0", operations: [order] });
    expect(status).toBe("complete");
    await browser.open("/@shop/browse/orders");
    await grid("Orders").focus();
    await row("Orders", "order-2").getByText("25.00 EUR").waitFor();
    await browser.press("Home", "Enter");
    await page.getByRole("heading", { name: "order-2" }).waitFor();
    await seen("partially paid");
    const line = page.getByRole("row").filter({ hasText: "sencha-100" });
    await line.getByText("25.00 EUR").waitFor();
    await page.getByRole("row", { name: "Total" }).getByText("25.00 EUR").waitFor();
    await page.getByRole("row", { name: "Tax VAT 25 %" }).getByText("5.00 EUR").waitFor();
    for (const text of ["V-77", "Nihonbashi 1", "shop floor"]) await seen(text);
    await shown("order");
    await line.getByRole("link", { name: "sencha-100" }).click();
    await page.getByRole("heading", { name: "Sencha", exact: true }).waitFor();
    expect(search()).toMatchObject({ sku: "sencha-100" });
    await browser.open(`/@shop/browse/orders?key=gone`);
    await page.getByRole("alert").getByText("OrderNotFoundError").waitFor();
  });
});

/** Forty more languages, by real codes. */
const otherLanguages =
  "af am az be bg bn bs ca cs cy da de el es et eu fa fi fr ga gl gu he hi hr hu hy id is it ka kk km kn ko lt lv mk ms nl"
    .split(" ")
    .map((code) => ({
      ...{ intent: "language/upsert", code },
      name: new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code,
    }));
