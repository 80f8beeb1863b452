import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { streamLimits } from "../../../packages/service/src/http/open-streams.ts";
import { finished, pendingTask, startPending, tokenHeaders } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

describeConsole("pages of tasks that change", () => {
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    browser = await openConsole();
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(browser.reports.splice(0).filter((report) => !report.includes("429"))).toEqual([]);
  });

  const newTab = async (path: string): Promise<Page> => {
    const page = await browser.page.context().newPage();
    await page.goto(`${browser.service.url}/console${path}`);
    return page;
  };
  const state = (page: Page, word: string) => page.getByText(word, { exact: true }).first().waitFor();

  test("stay current in ten tabs, and an eleventh still loads", async () => {
    const task = await pendingTask(browser.tenant, 3);
    const tabs = await Promise.all(Array.from({ length: 10 }, () => newTab(`/@shop/tasks/${task}`)));
    await Promise.all(tabs.map((tab) => state(tab, "not started")));
    await browser.open("/@shop/tasks");
    await browser.page.getByRole("grid", { name: "Tasks" }).waitFor();
    await startPending(browser.tenant, task);
    await Promise.all(tabs.map((tab) => state(tab, "complete")));
    for (const tab of tabs) await tab.close();
  });

  test("say so when the service refuses a stream, poll, and switch to a stream once they get one", async () => {
    // A page about tasks would have the browser's stream.
    await browser.open("/@shop/browse");
    const task = await pendingTask(browser.tenant, 3);
    const over = new AbortController();
    const open = () =>
      fetch(browser.tenant.address, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream",
          ...tokenHeaders(browser.tenant),
        },
        body: JSON.stringify({
          query: `subscription { bulkTask(id: "${task}") { ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
        }),
        signal: over.signal,
      });
    const statuses = (await Promise.all(Array.from({ length: streamLimits.events }, open))).map(
      ({ status }) => status,
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    const tab = await newTab(`/@shop/tasks/${task}`);
    const refusal = tab.getByText("Too many requests");
    await refusal.waitFor();
    await state(tab, "not started");
    await startPending(browser.tenant, task);
    await finished(browser.tenant, task);
    await state(tab, "complete");
    over.abort();
    await tab.close();
    const next = await newTab(`/@shop/tasks/${await pendingTask(browser.tenant, 3)}`);
    const stream = next.waitForResponse(
      (response) => response.request().headers().accept === "text/event-stream",
    );
    expect((await stream).status()).toBe(200);
    await next.close();
  });
});
