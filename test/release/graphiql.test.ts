import { existsSync } from "node:fs";
import { type Browser, chromium, type Page, type Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { openService, pendingTask, type TestService } from "../support/service.ts";

/** Paths of the browser on Debian and GitHub's runners. */
const executablePath = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);

describe.skipIf(executablePath === undefined)("GraphiQL in a browser (needs Chromium)", () => {
  let service: TestService;
  let shop: TenantClient;
  let browser: Browser;
  let page: Page;
  /** Reports of the browser: violations of the page's policy, errors of scripts. */
  const reports: string[] = [];
  const requests: Request[] = [];

  beforeAll(async () => {
    service = await openService("pglite");
    shop = await service.tenant("shop");
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    const context = await browser.newContext();
    await context.addCookies([{ name: "other", value: "of-the-host", url: service.url }]);
    page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") reports.push(message.text());
    });
    page.on("pageerror", (error) => reports.push(error.message));
    page.on("request", (request) => requests.push(request));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const editor = (name: string) => page.locator(`.monaco-editor[data-uri$="${name}"]`);
  /** Waits until the answer contains a text; the editor breaks lines and writes no-break spaces. */
  const answered = (text: string) =>
    page.waitForFunction(
      (wanted) => document.querySelector(".result-window")?.textContent?.replace(/\s/g, "").includes(wanted),
      text.replace(/\s/g, ""),
    );
  const writeQuery = async (text: string) => {
    await editor("operation.graphql").click();
    await press("Control+A", "Delete");
    await page.keyboard.insertText(text);
  };

  test("opens from the page that asks for a tenant", async () => {
    await page.goto(`${service.url}/`);
    await page.fill("input[name=tenant]", "shop");
    await page.click("button");
    await page.waitForSelector(".graphiql-execute-button");
    expect(page.url()).toBe(`${service.url}/@shop`);
    await answered("Send an access token of the tenant");
  });

  test("answers a query with the token from the headers editor", async () => {
    await editor("request-headers.json").click();
    await press("Control+Home", "ArrowDown", "End", "ArrowLeft", "ArrowLeft");
    await page.keyboard.type(shop.access.accessTokenId);
    await press("ArrowDown", "End", "ArrowLeft");
    await page.keyboard.type(shop.access.accessTokenSecret);
    await page.click(".graphiql-execute-button");
    await answered('"identifier": "shop"');
  });

  test("offers completion and documentation once it has the token", async () => {
    await page.click('button[aria-label="Show Documentation Explorer"]');
    await page.waitForSelector('.graphiql-doc-explorer >> text="mutation"');
    await writeQuery("");
    await page.keyboard.type("{ bulkTa");
    await page.waitForSelector('.suggest-widget.visible .monaco-list-row[aria-label^="bulkTasks"]');
  });

  test("shows the events of a subscription until it ends", async () => {
    const id = await pendingTask(shop);
    await writeQuery(
      `subscription Watch { bulkTask(id: "${id}") { ... on BulkTaskMassOperation { status } ... on BasicError { error } } }`,
    );
    // GraphiQL parses the operation's name shortly after it was typed.
    await page.waitForSelector('.graphiql-tab >> text="Watch"');
    await press("Control+Enter");
    await answered('"status": "pending"');
    await shop.graphql(
      `mutation ($id: ID!) { startMassOperationBulkTask(id: $id) {
        ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
      { id },
    );
    await page.waitForSelector('.graphiql-execute-button[aria-label*="Execute"]');
    expect(await page.textContent(".result-window")).toMatch(/"status":\s"complete"/);
  });

  test("violated no policy, contacted no other host, and sent POST without cookies", async () => {
    // Without a token the service answers 401, which the browser reports.
    const refusals = /401 \(Unauthorized\)/;
    expect(reports.filter((report) => !refusals.test(report))).toEqual([]);
    const origins = new Set(requests.map((request) => new URL(request.url()).origin));
    expect([...origins].filter((origin) => origin !== "null")).toEqual([service.url]);
    const queries = requests.filter(
      (request) => request.url().includes("/@shop") && !request.isNavigationRequest(),
    );
    expect(queries.length).toBeGreaterThan(3);
    for (const query of queries) {
      expect([query.method(), new URL(query.url()).search]).toEqual(["POST", ""]);
      expect(await query.headerValue("cookie")).toBeNull();
    }
  });

  test("forgets the token on reload", async () => {
    expect(page.url()).toBe(`${service.url}/@shop`);
    await page.reload();
    await page.waitForSelector(".graphiql-execute-button");
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(stored).toContain("bulkTask");
    expect(stored).not.toContain(shop.access.accessTokenSecret);
    await editor("request-headers.json").waitFor();
    expect(await page.content()).not.toContain(shop.access.accessTokenSecret);
    await answered("Send an access token of the tenant");
  });
});
