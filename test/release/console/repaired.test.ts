import { afterAll, beforeAll, expect, test } from "vitest";
import { finished, runFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const group = (i: number) => ({
  intent: "customer/group/upsert",
  identifier: `group-${i}`,
  name: `Group ${i}`,
});

const customer = {
  intent: "customer/upsert",
  identifier: "ida",
  type: "individual",
  parents: [{ identifier: "later", type: "customerGroup" }],
};

/** Operations; one fails until the group `later` exists. */
const operations = [...Array.from({ length: 22 }, (_, i) => group(i)), customer];

describeConsole("a task whose failures are repaired", () => {
  let browser: ConsoleBrowser;
  let run: string;

  beforeAll(async () => {
    browser = await openConsole();
    run = (await runFile(browser.tenant, { version: "1.0.0", operations })).id;
    await runFile(browser.tenant, { version: "1.0.0", operations: [{ ...group(0), identifier: "later" }] });
  });
  afterAll(() => browser?.close());

  const seen = (wanted: string | RegExp) =>
    browser.page.getByText(wanted).filter({ visible: true }).first().waitFor();
  const button = (name: string | RegExp) => browser.page.getByRole("button", { name });
  const rowOf = (id: string) =>
    browser.page
      .getByRole("grid", { name: "Tasks" })
      .getByRole("row")
      .filter({ has: browser.page.getByTitle(id) });
  const shownTask = () => new URL(browser.page.url()).pathname.split("/").at(-1) ?? "";
  /** Clicks, confirms, and waits for the new task to end. */
  const follow = async (first: string, then: string | RegExp) => {
    const before = shownTask();
    await button(`${first} …`).click();
    if (first === "Undo") await browser.page.getByLabel(/Preview/).uncheck();
    await browser.page.getByRole("alertdialog").getByRole("button", { name: then }).click();
    await browser.page.waitForURL((url) => !url.pathname.endsWith(before));
    await finished(browser.tenant, shownTask());
    return shownTask();
  };

  test("is not shown as failed, in the list and on its page", async () => {
    await browser.open(`/@shop/tasks/${run}`);
    await follow("Retry", "Retry 1");
    await browser.open("/@shop/tasks");
    const row = rowOf(run);
    await row.getByText("1 · repaired").waitFor();
    await row.getByText("repaired", { exact: true }).waitFor();
    expect(await row.getByRole("progressbar").getAttribute("aria-valuetext")).toBe("100 %, 1 repaired");
    await browser.open(`/@shop/tasks/${run}`);
    await seen("1 of 1 operation repaired");
    const head = browser.page.getByRole("heading", { name: "run operations.json" }).locator("..");
    await head.getByText("repaired", { exact: true }).waitFor();
    expect(await button("Retry …").count()).toBe(0);
  });

  test("has failures again after the retry is undone, and can be retried", async () => {
    await browser.open(`/@shop/tasks/${run}`);
    await browser.page.getByRole("listitem").filter({ hasText: "Retried by" }).getByRole("link").click();
    await seen("Retries");
    const undo = await follow("Undo", "Undo");
    await seen("1 of 1");
    await browser.open(`/@shop/tasks/${run}`);
    await seen(/Undone by/);
    const retried = browser.page.getByRole("listitem").filter({ hasText: "Retried by" });
    await retried.getByText("complete").last().waitFor();
    expect(await retried.textContent()).toMatch(
      /^Retried by retry of operations\.json .*\. Undone by undo of operations\.json complete: 1 operation$/,
    );
    expect(await retried.getByRole("link").last().getAttribute("title")).toBe(undo);
    expect(await browser.page.getByText("repaired", { exact: true }).count()).toBe(0);
    const again = await follow("Retry", "Retry 1");
    const { progress } = await finished(browser.tenant, again);
    expect(progress).toMatchObject({ succeeded: 1, failed: 0 });
    await browser.open(`/@shop/tasks/${run}`);
    await seen("1 of 1 operation repaired");
    expect(browser.reports).toEqual([]);
  });
});
