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

  test("answers a query, asks no other host and meets no refusal of its policy", async () => {
    const { accessTokenId, accessTokenSecret } = (await service.tenant("shop")).access;
    await page.goto(`${service.url}/`);
    await page.fill("input[name=tenant]", "shop");
    await page.click("button");
    await page.waitForSelector(".graphiql-execute-button");
    expect(page.url()).toBe(`${service.url}/@shop`);

    // Until a token is entered the service answers 401, which the browser reports.
    const refusals = /401 \(Unauthorized\)/;
    const headers = {
      "X-Service-Access-Token-Id": accessTokenId,
      "X-Service-Access-Token-Secret": accessTokenSecret,
    };
    await page.click("button[data-name=headers]").catch(() => {});
    await page.click('section[aria-label="Headers"] .monaco-editor, .graphiql-editor-tool .monaco-editor');
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(JSON.stringify(headers));
    await page.click(".graphiql-execute-button");
    await page.waitForFunction(() =>
      document.querySelector(".result-window")?.textContent?.includes('"identifier"'),
    );
    expect(await page.textContent(".result-window")).toContain("shop");
    expect(reports.filter((report) => !refusals.test(report))).toEqual([]);
    expect([...requested].filter((origin) => origin !== "null")).toEqual([service.url]);

    const stored = await page.evaluate(() => JSON.stringify(localStorage));
    expect(stored).not.toContain(accessTokenSecret);
    expect(page.url()).toBe(`${service.url}/@shop`);
  });
});
