import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../../../packages/service/src/index.ts";
import { runFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const group = (i: number) => ({
  intent: "customer/group/upsert",
  identifier: `club-${i}`,
  name: `Club ${i}`,
});
const fileOf = (count: number) => ({
  version: "1.0.0",
  operations: Array.from({ length: count }, (_, i) => group(i)),
});
const folder = {
  ...{ intent: "folder/upsert", resourceIdentifier: "teas", language: "en", name: "Teas" },
  ...{ shapeIdentifier: "list", tree: { parentId: "{{ defaults.rootItemId }}" } },
};
const shape = { intent: "shape/upsert", identifier: "list", name: "List", type: "folder" };

describeConsole("a console whose service is restarted", () => {
  let browser: ConsoleBrowser;
  let restarted: RunningService | undefined;

  beforeAll(async () => {
    browser = await openConsole();
  });
  afterAll(async () => {
    await restarted?.stop();
    await browser?.close();
  });

  const tab = async (path: string): Promise<Page> => {
    const page = await browser.page.context().newPage();
    await page.goto(`${browser.service.url}/console${path}`);
    return page;
  };
  const away = (page: Page) => page.getByText("Service unreachable");
  const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

  test("says so on each page, keeps its content, and reconnects by itself", async () => {
    const { page: tasks, service, tenant } = browser;
    const { id } = await runFile(tenant, fileOf(600));
    expect(await runFile(tenant, { version: "1.0.0", operations: [shape, folder] })).toMatchObject({
      progress: { succeeded: 2 },
    });
    await browser.open("/@shop/tasks");
    await tasks.getByTitle(id).waitFor();
    const log = await tab(`/@shop/tasks/${id}`);
    await row(log, 'created customer group "club-0"').waitFor();
    const items = await tab("/@shop/browse");
    await row(items, "Teas").waitFor();

    await service.stop();
    await away(tasks).waitFor();
    await log.getByRole("grid", { name: "Log" }).focus();
    await log.keyboard.press("End");
    await away(log).waitFor();
    await items.getByLabel("Search").fill("eas");
    await away(items).waitFor();
    expect(await tasks.getByTitle(id).isVisible()).toBe(true);
    await browser.expectAccessible();
    await browser.shoot("away");

    restarted = await startService({
      ...{ port: Number(new URL(service.url).port), dataDir: service.dataDir },
      ...{ databaseUrl: service.databaseUrl, logLevel: "silent", rateLimit: 0 },
    });
    await row(log, 'created customer group "club-599"').waitFor();
    await items.getByRole("grid", { name: "Found" }).getByText("Teas").first().waitFor();
    for (const page of [tasks, log, items]) await away(page).waitFor({ state: "detached" });
    const again = await runFile(tenant, fileOf(1));
    await tasks.getByTitle(again.id).waitFor();
    const refusals = /ERR_CONNECTION|ERR_EMPTY|503|ERR_INCOMPLETE/;
    expect(browser.reports.filter((report) => !refusals.test(report))).toEqual([]);
  });
});
