import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../../../packages/service/src/index.ts";
import { runFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const file = {
  version: "1.0.0",
  operations: [{ intent: "customer/group/upsert", identifier: "club", name: "Tea club" }],
};

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

  test("says so, keeps what it shows, and goes on by itself", async () => {
    const { page, service, tenant } = browser;
    const { id } = await runFile(tenant, file);
    await browser.open("/@shop/tasks");
    const row = page.getByRole("row").filter({ hasText: id.slice(-4) });
    await row.waitFor();
    await service.stop();
    const away = page.getByText("The service does not answer");
    await away.waitFor();
    expect(await row.isVisible()).toBe(true);
    await browser.expectAccessible();
    await browser.shoot("away");
    restarted = await startService({
      ...{ port: Number(new URL(service.url).port), dataDir: service.dataDir, engine: "pglite" },
      ...{ logLevel: "silent", rateLimit: 0 },
    });
    await away.waitFor({ state: "detached" });
    const again = await runFile(tenant, file);
    await page
      .getByRole("row")
      .filter({ hasText: again.id.slice(-4) })
      .waitFor();
    const refusals = /ERR_CONNECTION|ERR_EMPTY|503|ERR_INCOMPLETE/;
    expect(browser.reports.filter((report) => !refusals.test(report))).toEqual([]);
  });
});
