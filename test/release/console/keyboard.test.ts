import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openExampleHost } from "../../support/examples.ts";
import { runFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const missing = (i: number) => ({ intent: "product/variant/delete", sku: `missing-${i}` });
const group = (i: number) => ({ intent: "customer/group/upsert", identifier: `g${i}`, name: `Group ${i}` });
const operations = Array.from({ length: 120 }, (_, i) => (i % 10 === 4 ? missing(i) : group(i)));

/** Allows for a slow service on a busy machine. */
const patient = { timeout: 60_000 };

/** More than the tab stops of any page. */
const mostStops = 60;

describeConsole("the console without a mouse", () => {
  let browser: ConsoleBrowser;
  let host: Awaited<ReturnType<typeof openExampleHost>>;

  beforeAll(async () => {
    host = await openExampleHost();
    browser = await openConsole({ imageHosts: ["127.0.0.1"] });
    await runFile(browser.tenant, JSON.parse(host.fetchable(host.everyIntent)));
    await runFile(browser.tenant, { version: "1.0.0", operations: [{ intent: "nothing/known" }] });
    await runFile(browser.tenant, { version: "1.0.0", operations });
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });
  afterEach(() => {
    expect(browser.reports.splice(0).filter((report) => !report.includes("401"))).toEqual([]);
  });

  const path = () => new URL(browser.page.url()).pathname;
  const search = () => Object.fromEntries(new URL(browser.page.url()).searchParams);
  const seen = (wanted: string | RegExp) =>
    browser.page.getByText(wanted).filter({ visible: true }).first().waitFor();

  /** Name of the focused element, whose focus must be visible; a table's begins with `table`. */
  async function focused(): Promise<string> {
    const { name, isSeen } = await browser.page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      const label =
        "labels" in element ? (element as HTMLInputElement).labels?.[0]?.firstChild?.textContent : null;
      const own = element.getAttribute("aria-label") ?? label ?? element.textContent;
      const name = element.role === "grid" ? `table ${own}` : own;
      return { name, isSeen: outlineStyle !== "none" && outlineWidth !== "0px" && width > 1 && height > 1 };
    });
    expect(isSeen, `focus on "${name.slice(0, 60)}"`).toBe(true);
    return name;
  }

  /** Presses Tab; in a dialog the focus wraps around. */
  async function press(key: string): Promise<void> {
    await browser.press(key);
    await browser.page.waitForFunction(() => !document.activeElement?.matches("[data-base-ui-focus-guard]"));
  }
  const hasLeft = () => browser.page.evaluate(() => document.activeElement === document.body);

  /** Presses Tab until the element has the focus. */
  async function tabTo(wanted: string | RegExp, key = "Tab"): Promise<void> {
    const passed: string[] = [];
    for (let stop = 0; stop < mostStops; stop++) {
      await press(key);
      // After the last stop, and before the first one, the focus leaves the page.
      if (await hasLeft()) continue;
      const name = await focused();
      if (typeof wanted === "string" ? name === wanted : wanted.test(name)) return;
      passed.push(name.slice(0, 40));
    }
    throw new Error(`no stop is called ${wanted}, but ${passed.join(", ")}`);
  }

  /** Number of the selected row in the focused table, from 1. */
  const chosen = () =>
    browser.page.evaluate(() => {
      const id = document.activeElement?.getAttribute("aria-activedescendant");
      return Number(id && document.getElementById(id)?.getAttribute("aria-rowindex")) - 1;
    });
  const rowCount = () =>
    browser.page.evaluate(() => Number(document.activeElement?.getAttribute("aria-rowcount")) - 1);

  test("signs in, starting at the first tab stop of the page", async () => {
    await browser.page.context().clearCookies();
    await browser.open("/sign-in?tenant=shop");
    await browser.page.getByLabel("Token id").waitFor();
    await tabTo("Token id");
    await browser.page.keyboard.type(browser.tenant.access.accessTokenId);
    await tabTo("Secret");
    await browser.page.keyboard.type(browser.tenant.access.accessTokenSecret);
    await browser.press("Enter");
    await browser.page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(path()).toBe("/console/@shop/overview");
  });

  test("chooses an hour of the chart by the arrow keys", async () => {
    await tabTo("Last 24 hours, by hour");
    await browser.press("Home");
    await seen(/^\w+,? .*: 0 operations, 0 failed$/);
    await browser.press("End");
    await seen(/^\w+,? .*: [1-9]\d* operations, 12 failed$/);
  });

  test("filters tasks by `/`, and opens one from the table", async () => {
    await tabTo("Tasks", "Shift+Tab");
    await browser.press("Enter");
    await browser.page.getByRole("grid", { name: "Tasks" }).waitFor();
    await browser.press("/");
    expect(await focused()).toBe("Search");
    await tabTo("Status");
    await browser.press("c");
    await browser.page.waitForURL(/status=complete/);
    await tabTo("table Tasks");
    await seen("complete");
    await browser.press("End", "Home", "Enter");
    await seen("1 cause");
  });

  test("focuses the opened page, so Tab continues in it", async () => {
    const main = await browser.page.evaluate(() => {
      const { activeElement } = document;
      return [activeElement?.tagName, activeElement && getComputedStyle(activeElement).outlineStyle];
    });
    // A frame around the whole content would show no place.
    expect(main).toEqual(["MAIN", "none"]);
    await browser.press("Tab");
    expect(await focused()).toBe("Tasks");
  });

  test("filters a log by a cause, by text and by status", async () => {
    await tabTo(/^No product variant has the SKU/);
    await browser.press("Enter");
    await seen("12 operations");
    await tabTo("Remove the filter by cause");
    await browser.press("Enter");
    await browser.page.waitForURL((url) => !url.searchParams.has("cause"));
    await browser.press("/");
    expect(await focused()).toBe("Text");
    await browser.page.keyboard.type("variant");
    await browser.press("Enter");
    await browser.page.waitForURL(/text=variant/);
    await tabTo("Status");
    await browser.press("f");
    await browser.page.waitForURL(/status=failure/);
    await seen("12 operations");
  });

  test("opens an operation from the log, the next one, and the task again", async () => {
    await tabTo("table Log");
    await browser.press("ArrowDown", "Enter");
    await seen("Operation 14");
    await tabTo("Next");
    await browser.press("Enter");
    await seen("Operation 15");
    await tabTo("run operations.json", "Shift+Tab");
    await browser.press("Enter");
    await browser.page.getByRole("grid", { name: "Log" }).waitFor();
    expect(search()).toEqual({});
  });

  test("confirms a retry in a dialog that takes, traps and returns the focus", async () => {
    await tabTo("Retry …");
    await browser.press("Enter");
    await browser.page.getByRole("alertdialog").waitFor();
    const isBehind = () => browser.page.evaluate(() => document.activeElement?.closest("#root") !== null);
    for (let stop = 0; stop < 8; stop++) {
      await press("Tab");
      expect(await isBehind()).toBe(false);
    }
    await browser.press("Escape");
    await browser.page.getByRole("alertdialog").waitFor({ state: "detached" });
    expect(await focused()).toBe("Retry …");
    await browser.press("Enter");
    await browser.page.getByRole("alertdialog").waitFor();
    await tabTo("Retry 12");
    await browser.press("Enter");
    await seen("Retries");
  });

  test("searches by Ctrl-K from any page, names and exact keys first", async () => {
    const { page } = browser;
    const dialog = page.getByRole("dialog", { name: "Search" });
    const result = () =>
      page.evaluate(() => {
        const id = document.activeElement?.getAttribute("aria-activedescendant");
        return document.getElementById(id ?? "")?.firstElementChild?.textContent;
      });
    await tabTo("Tasks");
    await browser.press("Control+k");
    await dialog.waitFor();
    await expect.poll(result).toBe("Overview");
    await browser.expectAccessible();
    await browser.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await focused()).toBe("Tasks");
    await browser.press("Control+k");
    await dialog.waitFor();
    await page.keyboard.type("sencha");
    await seen(/^\d+ results?$/);
    // The item is named in three languages, and has the text in its path.
    expect(await page.getByRole("option", { name: "Sencha product" }).count()).toBe(1);
    await browser.expectAccessible();
    await browser.press("ArrowDown");
    await expect.poll(result).toBe("Sencha, 100 g");
    const opened = page.context().waitForEvent("page");
    await browser.press("Control+Enter");
    const tab = await opened;
    await tab.waitForURL(/\/browse\/items\/.*sku=sencha-100|\/browse\/variants\/sencha-100/);
    await tab.close();
    await browser.press("Control+a");
    // Enter before the service has answered is not lost, and opens nothing that was found before.
    await page.keyboard.insertText("sencha-100");
    await browser.press("Enter");
    await page.waitForURL(/\/browse\/(items|variants)\/.*sencha-100/);
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300)))
      .toMatch(/^<main/);
  });

  test("goes back to the tasks", async () => {
    await tabTo("Tasks");
    await browser.press("Enter");
    await browser.page.getByRole("grid", { name: "Tasks" }).waitFor();
    expect(path()).toBe("/console/@shop/tasks");
  });

  test.each([
    ["Tasks", "/tasks"],
    ["Items", "/browse"],
    ["Found", "/browse?text=sencha"],
    ["Shapes", "/browse/shapes"],
    ["Customers", "/browse/customers"],
    ["Orders", "/browse/orders"],
    ["Images", "/browse/images"],
    ["Access tokens", "/tenant?tab=tokens"],
  ])("reaches the table %s by Tab, and moves in it by arrow keys", async (name, address) => {
    await browser.open(`/@shop${address}`);
    await browser.page.getByRole("grid", { name }).getByRole("row").nth(1).waitFor();
    await tabTo(`table ${name}`);
    await expectKeys();
  });

  test.each(["Log", "Issues"])(
    "reaches the table %s of a task, and moves in it by arrow keys",
    async (name) => {
      const { page } = browser;
      await browser.open(`/@shop/tasks?status=${name === "Log" ? "complete" : "error"}`);
      await page.getByRole("grid", { name: "Tasks" }).getByRole("row").nth(1).waitFor();
      await tabTo("table Tasks");
      await browser.press("Enter");
      await page.getByRole("grid", { name }).getByRole("row").nth(1).waitFor();
      await tabTo(`table ${name}`);
      await expectKeys();
    },
  );

  test("tells the length of a list, and goes to its real end by End", async () => {
    const customer = { intent: "customer/upsert", type: "individual" };
    const many = Array.from({ length: 331 }, (_, i) => ({ ...customer, identifier: `many-${i}` }));
    await runFile(browser.tenant, { version: "1.0.0", operations: many });
    await browser.open("/@shop/browse/customers");
    await browser.page.getByRole("grid", { name: "Customers" }).getByRole("row").nth(1).waitFor();
    await tabTo("table Customers");
    const count = await rowCount();
    expect(count).toBeGreaterThanOrEqual(many.length);
    await browser.press("End");
    await expect.poll(chosen, patient).toBe(count);
  });

  /** Moves through the focused table. */
  async function expectKeys(): Promise<void> {
    const last = await rowCount();
    expect(last).toBeGreaterThan(0);
    for (const [key, row] of [
      ["End", last],
      ["Home", 1],
      ["ArrowDown", Math.min(2, last)],
      ["ArrowUp", 1],
    ] as const) {
      await browser.press(key);
      await expect.poll(chosen, { ...patient, message: key }).toBe(row);
    }
    await browser.press("PageDown");
    const below = await chosen();
    expect(below).toBeGreaterThanOrEqual(Math.min(2, last));
    await browser.press("PageUp");
    await expect.poll(chosen, patient).toBe(1);
    await focused();
  }
});
