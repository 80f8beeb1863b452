import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openService, type TestService } from "../support/service.ts";

/** Where Debian and Ubuntu install the browser. */
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

describe.skipIf(executablePath === undefined)("GraphiQL in a browser (needs Debian's chromium)", () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  /** Reports of the browser: refusals by the policy of the page, errors of scripts. */
  const reports: string[] = [];
  const requested = new Set<string>();

  beforeAll(async () => {
    service = await openService("pglite");
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    page = await browser.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") reports.push(message.text());
    });
    page.on("pageerror", (error) => reports.push(error.message));
    page.on("request", (request) => requested.add(new URL(request.url()).origin));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  test("opens from the page that asks for a tenant, asks no other host and meets no refusal of its policy", async () => {
    await service.tenant("shop");
    await page.goto(`${service.url}/`);
    await page.fill("input[name=tenant]", "shop");
    await page.click("button");
    await page.waitForSelector(".graphiql-execute-button");
    expect(page.url()).toBe(`${service.url}/@shop`);
    // Until a token is entered the service answers 401, which the browser reports.
    const refusals = /401 \(Unauthorized\)/;
    expect(reports.filter((report) => !refusals.test(report))).toEqual([]);
    expect([...requested].filter((origin) => origin !== "null")).toEqual([service.url]);
  });
});
