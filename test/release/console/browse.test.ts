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
  const shown = async (name: string) => {
    await browser.expectAccessible();
    await browser.shoot(name);
  };

  test("suggest a next step if a tenant has no items, or none of a kind", async () => {
    await browser.open("/@shop/browse");
    await seen("lading mass-operation run shop operations.json");
    await shown("browse-empty");
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

  test("show a product's languages, components, and variants with prices and stock", async () => {
    const { page } = browser;
    const variant = page.getByRole("row").filter({ hasText: "sencha-100" });
    await variant.getByText(/Tea club/).waitFor();
    await variant.getByText(/Tea house/).waitFor();
    await seen("Taste");
    await page.getByRole("listitem").filter({ hasText: "en" }).getByText("published").waitFor();
    await page.getByRole("listitem").filter({ hasText: "ja" }).getByText("none").waitFor();
    await shown("item");
    await page.getByRole("tab", { name: "Published" }).click();
    await page.waitForURL(/version=published/);
    await variant.waitFor();
    await page.getByRole("link", { name: /^ja/ }).click();
    await seen("Not published in this language");
  });

  test("mark unpublished changes of a draft until they are undone", async () => {
    const { page, tenant } = browser;
    const sencha = page.getByRole("listitem").filter({ hasText: /^en/ });
    const run = async (operation: object) =>
      (await runFile(tenant, { version: "1.0.0", operations: [operation] })).id;
    const variant = { sku: "sencha-100", language: "en", name: "Sencha, one tin" };
    const renamed = await run({ intent: "product/variant/update", ...variant });
    await browser.open(`/@shop/browse?text=sencha-100`);
    await grid("Found").focus();
    await browser.press("Home", "Enter");
    await sencha.getByText("draft changed").waitFor();
    await seen("The draft has unpublished changes: in its variants.");
    await shown("item-changed");
    const { undo } = await tenant.graphql<{ undo: { id: string } }>(
      `mutation ($id: ID!) { undo: undoBulkTask(id: $id, autoStart: true) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
      { id: renamed },
    );
    await finished(tenant, undo.id);
    await page.reload();
    await sencha.getByText("published").waitFor();
    expect(await page.getByText("not published:").count()).toBe(0);
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

  test.each(["Pieces", "Price lists", "Customers", "Orders", "Topics", "Flows", "Images"])(
    "list and show %s",
    async (title) => {
      const { page } = browser;
      await page.getByRole("navigation", { name: "Kinds" }).getByRole("link", { name: title }).click();
      await grid(title).getByRole("row").nth(1).waitFor();
      await grid(title).focus();
      await browser.press("Home", "Enter");
      await page.getByRole("region", { name: "All fields" }).waitFor();
      await shown(title.toLowerCase());
    },
  );

  test("find a customer and an order, and show them in the list of their kind", async () => {
    const { page } = browser;
    await browser.open("/@shop/browse?text=okakura&kind=customer");
    await row("Found", "okakura").getByRole("link").click();
    await page.getByRole("region", { name: "All fields" }).getByText('"okakura"').first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/@shop/browse/customers");
    await browser.open("/@shop/browse?text=order-1");
    await row("Found", "order-1").waitFor();
    await grid("Found").focus();
    await browser.press("Home", "Enter");
    await page.getByRole("region", { name: "All fields" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/@shop/browse/orders");
  });
});
