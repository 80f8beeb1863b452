import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { pendingTask, startPending } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const group = (name: string) => ({ intent: "customer/group/upsert", identifier: name, name });
const fileOf = (...operations: object[]) => ({ version: "1.0.0", operations });

describeConsole("the frame of the console's pages", () => {
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    browser = await openConsole();
    browser.page.setDefaultTimeout(20_000);
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  const link = (name: string) => browser.page.getByRole("link", { name, exact: true });
  const editor = () => browser.page.getByRole("textbox", { name: /^Mass operation file/ });
  // `fill` would have the browser delete lines, which gives what follows a style.
  const type = async (text: string) => {
    await editor().focus();
    await browser.press("ControlOrMeta+a", "Delete");
    await browser.page.keyboard.insertText(text);
  };
  const heading = (name: string) => browser.page.getByRole("heading", { name, exact: true });
  const title = (wanted: string) => expect.poll(() => browser.page.title()).toBe(wanted);
  const path = () => new URL(browser.page.url()).pathname;
  const ground = (page: Page) =>
    page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
  const focus = () => browser.page.evaluate("dispatchEvent(new Event('focus'))");

  test("names each page in the title, also after a navigation", async () => {
    await browser.open("/@shop/tasks");
    await title("Tasks · Lading · shop");
    await link("Browse").click();
    await title("Browse · Lading · shop");
    await browser.page.goBack();
    await title("Tasks · Lading · shop");
    await browser.open("/sign-in");
    await title("Sign in · Lading");
  });

  test("opens a file dropped on any page in Run, and asks before it replaces edits", async () => {
    const { page } = browser;
    const drop = async (name: string) => {
      const content = JSON.stringify(JSON.stringify(fileOf(group(name))));
      const dataTransfer = await page.evaluateHandle(
        `(() => { const transfer = new DataTransfer();
           transfer.items.add(new File([${content}], "${name}.json"));
           return transfer; })()`,
      );
      const over = page.getByText("Drop the file to open it");
      await page.getByRole("navigation").dispatchEvent("dragover", { dataTransfer });
      await over.waitFor();
      await page.getByRole("navigation").dispatchEvent("drop", { dataTransfer });
      await over.waitFor({ state: "detached" });
    };
    await browser.open("/@shop/tenant");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await drop("spring");
    await page.getByText("spring.json").waitFor();
    expect([path(), await editor().innerText()]).toEqual([
      "/console/@shop/run",
      expect.stringMatching("spring"),
    ]);
    await editor().focus();
    await browser.press("ControlOrMeta+End", "?");
    await drop("summer");
    await page.getByRole("button", { name: "Replace" }).click();
    await expect.poll(() => editor().innerText()).toContain("summer");
  });

  test("leaves a picture of the page that is dragged alone", async () => {
    const { page } = browser;
    const before = path();
    const isTaken = await page.evaluate(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["x"], "picture.png"));
      const send = (type) => document.querySelector("nav").dispatchEvent(
        new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      send("dragstart");
      const isLeft = send("dragover");
      send("dragend");
      return !isLeft;
    })()`);
    expect([isTaken, path()]).toEqual([false, before]);
  });

  test("keeps unsent edits through a reload, until sign-out", async () => {
    const { page } = browser;
    page.on("dialog", (dialog) => dialog.accept());
    await type('{ "autumn": ');
    await page.reload();
    await expect.poll(() => editor().innerText()).toContain('{ "autumn": ');
    await link("Tasks").click();
    await page.waitForURL(/\/tasks$/);
    await page.reload();
    await link("Run").click();
    await expect.poll(() => editor().innerText()).toContain('{ "autumn": ');
    await type("");
  });

  test("stores unsent edits before the tab can crash", async () => {
    const page = await browser.page.context().newPage();
    await page.goto(`${browser.service.url}/console/@shop/run`);
    const editor = page.getByRole("textbox", { name: /^Mass operation file/ });
    await editor.fill('{ "winter": ');
    await page.getByText("Fix 1 error first.").waitFor();
    // What a tab that crashed still has.
    expect(await page.evaluate("sessionStorage.getItem('lading-draft-shop')")).toContain("winter");
    await page.close();
  });

  test("says that the service is unreachable while the session is read, with a heading", async () => {
    const { page } = browser;
    await page.route("**/console/session", (route) =>
      route.fulfill({ status: 503, json: { message: "starting" } }),
    );
    await browser.open("/@shop/tenant");
    await page.getByText("Service unreachable").waitFor();
    await browser.expectAccessible();
    await page.unrouteAll({ behavior: "wait" });
    // Repeated within five seconds.
    await heading("shop").waitFor();
    expect(browser.reports.splice(0).filter((report) => !/503/.test(report))).toEqual([]);
  });

  test("loads a page again when its script is missing, and offers it when that does not help", async () => {
    const { page } = browser;
    let loads = 0;
    page.on("domcontentloaded", () => loads++);
    await browser.open("/@shop/tasks");
    await page.getByRole("heading", { level: 1 }).waitFor();
    let isLost = true;
    await page.route("**/console/assets/page-*.js", (route) =>
      isLost ? route.abort("connectionreset") : route.continue(),
    );
    await link("Browse").click();
    await heading("This page could not be loaded").waitFor();
    await expect.poll(() => loads).toBe(2);
    await heading("This page could not be loaded").waitFor();
    expect(path()).toBe("/console/@shop/browse");
    await browser.expectAccessible();
    await browser.shoot("part-failure");
    isLost = false;
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByLabel("Search").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    expect(loads).toBe(3);
    expect(
      browser.reports.splice(0).filter((report) => !/ERR_CONNECTION|dynamically imported/.test(report)),
    ).toEqual([]);
  });

  test("says when the service has a new version of the console", async () => {
    const { page } = browser;
    await browser.open("/@shop/tenant");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await focus();
    const bar = page.getByText("New version", { exact: true });
    expect(await bar.count()).toBe(0);
    await page.route(
      (url) => url.pathname === "/console/",
      (route) => route.fulfill({ body: '<script type="module" src="/console/assets/index-new.js">' }),
    );
    await page.waitForTimeout(1_100);
    await focus();
    await bar.waitFor();
    await browser.expectAccessible();
    await browser.shoot("new-version");
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Reload" }).click();
    await bar.waitFor({ state: "detached" });
  });

  test("has the chosen theme before anything is painted, in every tab", async () => {
    const { page } = browser;
    await page.emulateMedia({ colorScheme: "light" });
    await browser.open("/@shop/tasks");
    await heading("Tasks").waitFor();
    const other = await page.context().newPage();
    await other.emulateMedia({ colorScheme: "light" });
    await other.goto(`${browser.service.url}/console/@shop/tenant`);
    const theme = page.getByLabel("Theme");
    await theme.waitFor();
    const light = await ground(page);
    await theme.selectOption("Dark theme");
    const dark = await ground(page);
    expect(dark).not.toBe(light);
    await expect.poll(() => ground(other)).toBe(dark);
    await other.close();
    await page.addInitScript(`new MutationObserver((_, observer) => {
      window.themedAt = performance.now();
      observer.disconnect();
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-theme"] })`);
    await page.route("**/console/assets/index-*.js", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.reload();
    await heading("Tasks").waitFor();
    expect(await ground(page)).toBe(dark);
    const [themed = 0, painted = 0] = await page.evaluate<number[]>(
      "[window.themedAt, performance.getEntriesByName('first-paint')[0].startTime]",
    );
    expect(themed).toBeGreaterThan(0);
    expect(painted).toBeGreaterThanOrEqual(themed);
    await page.unrouteAll({ behavior: "wait" });
    await theme.selectOption("Auto theme");
    expect(await ground(page)).toBe(light);
  });

  test("notifies of a task's end while another page is shown, and leads to the task", async () => {
    const { page, tenant } = browser;
    await page.context().grantPermissions(["notifications"]);
    await page.addInitScript(`window.shown = [];
      window.Notification = class extends Notification {
        constructor(title, options) { super(title, options); window.shown.push(this); }
      }`);
    const task = await pendingTask(tenant, 3);
    await browser.open(`/@shop/tasks/${task}`);
    await page.getByRole("button", { name: "Notify me" }).click();
    await page.getByRole("button", { name: "Notifying you" }).waitFor();
    await link("Browse").click();
    await startPending(tenant, task);
    await expect
      .poll(() => page.evaluate("shown.map(({ title, body }) => [title, body])"), { timeout: 10_000 })
      .toEqual([[expect.stringMatching(/has ended$/), "3 operations succeeded, 0 operations failed"]]);
    await page.evaluate("shown[0].onclick()");
    await page.waitForURL(new RegExp(task));
    await page.getByRole("button", { name: /^Notify/ }).waitFor({ state: "detached" });
  });
});
