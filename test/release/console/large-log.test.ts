import type { CDPSession } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openPostgres } from "../../../packages/service/src/storage/engines/postgres.ts";
import { writeLargeLog } from "../../support/logs/write-large-log.ts";
import { pendingTask } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

/** Allows for a slow service on a busy machine. */
const patient = { timeout: 60_000 };

const entries = 100_000;
const failed = entries / 100;

const failure = {
  ...{ status: "failure", statusCode: 404, errorName: "ItemNotFoundError", action: null },
  ...{ message: 'No item has the id "6f"', cause: 'No item has the id "…"' },
} as const;

describeConsole("the log of 100,000 entries", () => {
  let browser: ConsoleBrowser;
  let inspector: CDPSession;

  beforeAll(async () => {
    browser = await openConsole({}, "postgresql");
    inspector = await browser.page.context().newCDPSession(browser.page);
    const task = await pendingTask(browser.tenant);
    await executeOnPaper(browser, task);
    await browser.open(`/@shop/tasks/${task}`);
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  const log = () => browser.page.getByRole("grid", { name: "Log" });
  const numbersSeen = async () => {
    await log().getByRole("row").nth(1).waitFor();
    await expect
      .poll(() => log().locator("[role=gridcell]:first-child:empty, [class*=pending]").count(), patient)
      .toBe(0);
    const texts = await log().locator("[role=gridcell]:first-child").allTextContents();
    return texts.map((text) => Number(text.replaceAll(",", "")));
  };
  const scrollTo = (part: number) =>
    log().evaluate((grid, part) => {
      grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * part;
    }, part);
  const heap = async () => (await inspector.send("Runtime.getHeapUsage")).usedSize;

  test("scrolls to its end in less than 40 MB of memory, rendering only visible rows", async () => {
    const steps = 10;
    const used: number[] = [];
    for (let step = 0; step <= steps; step++) {
      await scrollTo(step / steps);
      const number = (step / steps) * (entries - 1);
      await expect.poll(async () => distanceTo(number, await numbersSeen()), patient).toBeLessThan(60);
      expect(await log().getByRole("row").count()).toBeLessThan(60);
      used.push(await heap());
    }
    console.info(`the heap of the page: at most ${(Math.max(...used) / 1e6).toFixed(1)} MB`);
    expect(await numbersSeen()).toContain(entries - 1);
    expect(Math.max(...used)).toBeLessThan(40e6); // 14 MB; all entries as objects take more than 50
  });

  test("jumps to its start and end with one key, and loads only what is visible", async () => {
    const asked: string[] = [];
    browser.page.on("request", (request) => asked.push(request.postData() ?? ""));
    await log().focus();
    await browser.press("Home");
    await expect.poll(numbersSeen, patient).toContain(0);
    await browser.press("End", "PageUp", "PageDown");
    await expect.poll(numbersSeen, patient).toContain(entries - 1);
    const pages = asked.filter((body) => body.includes("query Numbered"));
    expect(pages.length).toBeLessThan(8);
  });

  test("counts failures by cause, and filters by one", async () => {
    const { page } = browser;
    const cause = page.getByRole("region", { name: "Causes of failures" }).getByRole("listitem");
    await cause.getByText(`${failed.toLocaleString("en")} ×`).waitFor();
    await cause.getByRole("link").first().click();
    await page.getByText(`${failed.toLocaleString("en")} operations`).waitFor();
    await expect.poll(numbersSeen, patient).toContain(42);
    expect((await numbersSeen()).every((number) => number % 100 === 42)).toBe(true);
  });
});

const distanceTo = (number: number, numbers: readonly number[]) =>
  Math.min(...numbers.map((each) => Math.abs(each - number)));

/** Writes the rows that a runner executing the file would write. */
async function executeOnPaper({ service, tenant }: ConsoleBrowser, taskId: string): Promise<void> {
  const database = openPostgres(service.databaseUrl ?? "");
  try {
    const key = { tenantId: tenant.access.tenant.id, taskId };
    await writeLargeLog(database, key, entries, (index) => (index % 100 === 42 ? failure : {}));
    await database.execute(
      `UPDATE bulk_tasks SET status = 'complete', start_order = 1, started_at = now(), validated_at = now(),
         running_at = now(), ended_at = now(), total = $2, cursor_index = $2, succeeded = $3, created = $3,
         failed = $4 WHERE id = $1`,
      [taskId, entries, entries - failed, failed],
    );
  } finally {
    await database.close();
  }
}
