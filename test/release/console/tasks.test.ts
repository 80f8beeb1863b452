import type { Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { finished, pendingFile, runFile, startFile, startPending } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

/** Group operations; every seventh names an unknown customer, and some an unknown SKU. */
function operations(count: number): object[] {
  return Array.from({ length: count }, (_, i) => {
    if (i % 7 === 3)
      return { intent: "customer/upsert", identifier: `c${i}`, type: "individual", parents: [parent(i)] };
    if (i % 11 === 5) return { intent: "product/variant/delete", sku: `missing-${i}` };
    return { intent: "customer/group/upsert", _ref: `g${i}`, identifier: `group-${i}`, name: `Group ${i}` };
  });
}

const parent = (i: number) => ({ identifier: `none-${i}`, type: "customerGroup" });
const file = (count: number) => ({ version: "1.0.0", operations: operations(count) });
const failedOf = (count: number) => operations(count).filter((operation) => !("_ref" in operation)).length;

describeConsole("the pages about tasks", () => {
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    browser = await openConsole();
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  const text = (wanted: string | RegExp) => browser.page.getByText(wanted).filter({ visible: true }).first();
  const seen = (wanted: string | RegExp) => text(wanted).waitFor();
  const button = (name: string | RegExp) => browser.page.getByRole("button", { name });
  const path = () => new URL(browser.page.url()).pathname;
  const search = () => Object.fromEntries(new URL(browser.page.url()).searchParams);
  const progressOf = async (id: string) => {
    const { bulkTask } = await browser.tenant.graphql<{
      bulkTask: { progress: { processed: number; failed: number; repaired: number } };
    }>(
      `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { progress { processed failed repaired } }
         ... on BasicError { error } } }`,
      { id },
    );
    return bulkTask.progress;
  };
  const rows = (table: string) => browser.page.getByRole("grid", { name: table }).getByRole("row");

  test("refuse a wrong secret, say why, and put no token in the URL", async () => {
    const { page } = browser;
    await browser.open("/sign-in?tenant=shop");
    await page.getByLabel("Token id").fill(browser.tenant.access.accessTokenId);
    await page.getByLabel("Secret").fill("wrong");
    await browser.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(/token/);
    expect(page.url()).not.toMatch(/wrong/);
    await browser.expectAccessible();
    await browser.shoot("sign-in");
    expect(browser.reports.splice(0).filter((report) => !report.includes("401"))).toEqual([]);
  });

  test("redirect to sign-in without a session, and then to the token's tenant", async () => {
    const { page, tenant } = browser;
    await browser.open("/@another/tasks?status=error");
    await page.getByLabel("Tenant", { exact: true }).fill("shop");
    await page.getByLabel("Token id").fill(tenant.access.accessTokenId);
    await page.getByLabel("Secret").fill(tenant.access.accessTokenSecret);
    await browser.press("Enter");
    // The link was to a tenant that this token cannot access.
    await page.waitForURL((url) => url.pathname === "/console/@shop/overview");
    expect(
      await page.evaluate("document.cookie + JSON.stringify([localStorage, sessionStorage])"),
    ).not.toContain(tenant.access.accessTokenSecret);
  });

  test("begin with the example in a tenant that has run nothing", async () => {
    await browser.open("/");
    await seen("Nothing has run here yet");
    expect(path()).toBe("/console/@shop/overview");
    await browser.shoot("overview-empty");
    await browser.page.getByRole("link", { name: "Open the example" }).click();
    await seen("quickstart.json");
    await button("Run …").and(browser.page.locator(":enabled")).waitFor();
    expect(search()).toEqual({});
  });

  test("suggest a next step if there are no tasks", async () => {
    await browser.open("/@shop/tasks");
    await seen("lading mass-operation run shop operations.json");
    await browser.expectAccessible();
    await browser.shoot("tasks-empty");
  });

  test("show a task when it is created, with its creator, and when it ends", async () => {
    await browser.open("/@shop/tasks");
    await seen("No tasks yet");
    await runFile(browser.tenant, file(200));
    await seen("complete");
    await seen("first token");
    await seen(`${failedOf(200)}`);
    await rows("Tasks").getByText("operations.json").waitFor();
  });

  test("keep filters in the URL, and omit empty ones", async () => {
    await browser.open("/@shop/tasks?status=gone");
    await rows("Tasks").nth(1).waitFor();
    expect(search()).toEqual({});
    await browser.page.getByLabel("Status").selectOption("error");
    await seen("No task matches these filters");
    expect(search()).toEqual({ status: "error" });
    await browser.page.goBack();
  });

  test("work by keyboard: arrows select a task, Enter opens it", async () => {
    await runFile(browser.tenant, { version: "1.0.0", operations: [{ intent: "nothing/known" }] });
    await browser.open("/@shop/tasks");
    await rows("Tasks").nth(2).waitFor();
    await browser.expectAccessible();
    await browser.shoot("tasks");
    await browser.page.getByRole("grid", { name: "Tasks" }).focus();
    await browser.press("End", "Home", "ArrowDown", "Enter");
    await seen("Download log");
    expect(path()).toMatch(/^\/console\/@shop\/tasks\/\w+$/);
  });

  test("group failures by cause, and filter the log by one", async () => {
    const { page } = browser;
    await seen(/^\d cause/);
    await browser.expectAccessible();
    await browser.shoot("task");
    const cause = page.getByRole("listitem").filter({ hasText: "customer/upsert" });
    const count = Number((await cause.textContent())?.match(/^\d+/)?.[0]);
    expect(count).toBe(operations(200).filter((_, i) => i % 7 === 3).length);
    await cause.getByRole("link").first().click();
    await seen(`${count} operations`);
    expect(search()).toMatchObject({ intent: "customer/upsert" });
    expect(await page.getByRole("grid", { name: "Log" }).getAttribute("aria-rowcount")).toBe(`${count + 1}`);
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await seen(`${count} operations`);
  });

  test("go to the filter by `/`, and from the log to an operation with Enter", async () => {
    await browser.page.getByRole("button", { name: "Remove the filter by cause" }).click();
    await browser.page.getByRole("grid", { name: "Log" }).focus();
    await browser.press("/");
    await browser.page.keyboard.type("no product variant");
    await browser.page.waitForURL(/text=/);
    await seen("No operation matches these filters");
    await browser.open(path().replace("/console", ""));
    await rows("Log").nth(5).waitFor();
    // Content that is still loading may take the focus.
    const open = async () => {
      await browser.page.getByRole("grid", { name: "Log" }).focus({ timeout: 1_000 });
      await browser.press("Home", "ArrowDown", "ArrowDown", "ArrowDown", "Enter");
      await browser.page.waitForURL(/operations\/3$/, { timeout: 1_000 });
    };
    await vi.waitFor(open, { timeout: 30_000 });
    await seen("Operation 3");
  });

  test("show an operation's position, input and error, and the next operation", async () => {
    await seen(/^Bytes [\d,]+ to [\d,]+ of the file$/);
    await seen(/none-3/);
    await browser.expectAccessible();
    await browser.shoot("operation-failed");
    await browser.page.getByRole("link", { name: "Next in file" }).click();
    await seen("Operation 4");
    await seen("created");
    await seen("Result");
    await browser.expectAccessible();
    await browser.shoot("operation");
  });

  test("confirm a retry, and link it to the retried task", async () => {
    const { page, tenant } = browser;
    const groups = [3, 10].map((i) => ({ intent: "customer/group/upsert", ...parent(i), name: "Parent" }));
    const { id } = await runFile(tenant, file(20));
    await runFile(tenant, { version: "1.0.0", operations: groups.map(({ type: _, ...group }) => group) });
    await browser.open(`/@shop/tasks/${id}`);
    await button("Retry …").click();
    await page.getByRole("alertdialog").waitFor();
    await browser.expectAccessible();
    await browser.shoot("retry");
    await browser.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await button("Retry …").click();
    await button(/^Retry \d+$/).click();
    await seen("Retries");
    await seen("complete");
    const retry = path().split("/").at(-1) ?? "";
    expect(retry).not.toBe(id);
    await browser.open(`/@shop/tasks/${id}`);
    await seen("Retried by");
    // What still failed can be retried again.
    await button("Retry …").waitFor();
    await browser.page.getByLabel("Not repaired yet").check();
    const { failed, repaired } = await progressOf(id);
    expect(repaired).toBe(groups.length);
    await seen(`${failed - repaired} operations`);
    expect(search()).toEqual({ unrepaired: "true" });
  });

  test("repeat a retry without an answer until there is one, and retry once", async () => {
    const { page, tenant } = browser;
    const { id } = await runFile(tenant, {
      version: "1.0.0",
      operations: [{ intent: "product/variant/delete", sku: "none" }],
    });
    await browser.open(`/@shop/tasks/${id}`);
    await button("Retry …").click();
    let sent = 0;
    const isRetry = (data: string | null) => data?.includes("mutation Retry") === true;
    await page.route("**/@shop", async (route, request) => {
      if (!isRetry(request.postData()) || ++sent > 1) return route.continue();
      await route.fetch();
      const body = "<html><body><h1>502 Bad Gateway</h1></body></html>";
      return route.fulfill({ status: 502, contentType: "text/html", body });
    });
    await button(/^Retry \d+$/).click();
    await seen("Retries");
    await page.unrouteAll({ behavior: "wait" });
    expect(
      await tenant.graphql(`{ bulkTask(id: "${id}") {
      ... on BulkTaskMassOperation { retries { id } } ... on BasicError { error } } }`),
    ).toEqual({
      bulkTask: { retries: [{ id: path().split("/").at(-1) }] },
    });
    expect(sent).toBe(2);
    expect(browser.reports.splice(0).filter((report) => !/502/.test(report))).toEqual([]);
  });

  test("plan an undo once, though its dialog was closed before the answer and confirmed again", async () => {
    const { page, tenant } = browser;
    const { id } = await runFile(tenant, {
      version: "1.0.0",
      operations: [{ intent: "customer/group/upsert", identifier: "group-once", name: "Once" }],
    });
    await browser.open(`/@shop/tasks/${id}`);
    const keys: string[] = [];
    const created: string[] = [];
    await page.route("**/@shop", async (route, request) => {
      const { idempotencyKey } = JSON.parse(request.postData() ?? "{}").variables ?? {};
      if (idempotencyKey === undefined) return route.continue();
      keys.push(idempotencyKey);
      const response = await route.fetch();
      created.push(await response.text());
      // The first answer never comes.
      if (keys.length > 1) return route.fulfill({ response });
    });
    await button("Undo …").click();
    await button("Plan the undo").click();
    await expect.poll(() => created.length).toBe(1);
    await browser.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await button("Undo …").click();
    await button("Plan the undo").click();
    await seen("Plans to undo");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    expect(keys[1]).toBe(keys[0]);
    expect(created[1]).toBe(created[0]);
  });

  test("plan an undo with the values before and after, and undo", async () => {
    const { id } = await runFile(browser.tenant, {
      version: "1.0.0",
      operations: [{ intent: "customer/group/upsert", identifier: "group-0", name: "Renamed" }],
    });
    await browser.open(`/@shop/tasks/${id}`);
    await button("Undo …").click();
    await button("Plan the undo").click();
    await seen("Plans to undo");
    await seen("complete");
    await browser.open(`${path().replace("/console", "")}/operations/0`);
    await seen("Would change");
    await seen(/"Renamed"/);
    await browser.expectAccessible();
    await browser.shoot("operation-plan");
    await browser.page.getByRole("link", { name: "plan to undo operations.json" }).click();
    await button("Undo …").click();
    await browser.page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
    await seen("Undoes");
    await browser.page
      .getByRole("link", { name: "run operations.json" })
      .and(browser.page.getByTitle(id))
      .waitFor();
    await seen("complete");
  });

  test("say that an undo has undone nothing, and refuse to undo as planned if nothing would be", async () => {
    const { page, tenant } = browser;
    const named = (name: string) =>
      [1, 2, 3].map((i) => ({ intent: "customer/group/upsert", identifier: `kept-${i}`, name }));
    const { id } = await runFile(tenant, { version: "1.0.0", operations: named("First") });
    await runFile(tenant, { version: "1.0.0", operations: named("Changed since") });
    await browser.open(`/@shop/tasks/${id}`);
    await button("Undo …").click();
    await seen("A new task undoes 3 operations that changed something");
    await page.getByLabel(/Preview/).uncheck();
    await page.getByRole("alertdialog").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "undo of operations.json" }).waitFor();
    await seen(/^failed$/);
    await browser.open(`/@shop/tasks/${id}`);
    const links = page.getByRole("listitem").filter({ hasText: "ndone" });
    await links.getByText("failed").first().waitFor();
    expect(await links.textContent()).toMatch(
      /^Not undone by undo of operations\.json failed: 3 of 3 operations failed$/,
    );
    await browser.shoot("task-not-undone");
    await button("Undo …").click();
    await button("Plan the undo").click();
    await page.getByRole("heading", { name: "plan to undo operations.json" }).waitFor();
    await seen(/^would fail$/);
    await button("Undo …").click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("The undo would do nothing (3 operations: 3 would fail).").waitFor();
    expect(await dialog.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
    await browser.expectAccessible();
    await browser.shoot("undo-refused");
  });

  test("count failures and their causes at the same moment while a task runs", async () => {
    const id = await startFile(browser.tenant, file(20_000));
    await browser.open(`/@shop/tasks/${id}`);
    await seen(/^\d cause/);
    const counts: { failed: number; ofCauses: number; isRunning: boolean }[] =
      await browser.page.evaluate(`(async () => {
      const seen = [];
      for (let i = 0; i < 60; i++) {
        const failed = [...document.querySelectorAll("dt")].find(({ textContent }) => textContent === "Failed").nextSibling.textContent;
        const causes = [...document.querySelectorAll("section[aria-label='Causes of failures'] li > span:first-child")];
        seen.push({
          failed: Number(failed.replaceAll(",", "")),
          ofCauses: causes.reduce((sum, { textContent }) => sum + Number(textContent.replace(/[^0-9]/g, "")), 0),
          isRunning: document.querySelector("header:has(h1)").textContent.includes("running"),
        });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return seen;
    })()`);
    expect(counts.filter(({ isRunning }) => isRunning).length).toBeGreaterThan(3);
    expect(counts.filter(({ failed, ofCauses }) => failed !== ofCauses)).toEqual([]);
    await finished(browser.tenant, id);
    await seen("Duration");
    const rate = await browser.page.getByText(/\/s over /).textContent();
    const [, perSecond = "", time = "", unit = ""] =
      rate?.match(/^([\d,]+)\/s over ([\d.]+) (ms|s|min)/) ?? [];
    const seconds = Number(time) * ({ ms: 0.001, s: 1, min: 60 }[unit] ?? 0);
    expect((Number(perSecond.replace(",", "")) * seconds) / 20_000, `${rate}`).toBeCloseTo(1, 1);
  });

  test("show the values of a run before and after", async () => {
    const rename = (name: string) => ({ intent: "customer/group/upsert", identifier: "shown", name });
    await runFile(browser.tenant, { version: "1.0.0", operations: [rename("Old name")] });
    const { id } = await runFile(browser.tenant, { version: "1.0.0", operations: [rename("New name")] });
    await browser.open(`/@shop/tasks/${id}/operations/0`);
    const changed = browser.page.getByRole("row").filter({ hasText: "/name" });
    await changed.waitFor();
    expect(await changed.textContent()).toBe('/name"Old name""New name"');
    await browser.expectAccessible();
    await browser.shoot("operation-changed");
  });

  test("search the log for a text to its end, and say so", async () => {
    const { page, tenant } = browser;
    const { id } = await runFile(tenant, file(3_000));
    await browser.open(`/@shop/tasks/${id}?text=group-2996`);
    await seen("1 operation found");
    await rows("Log")
      .getByText(/group-2996/)
      .waitFor();
    await browser.open(`/@shop/tasks/${id}?text=group-`);
    await seen(/^\d+ operations found in the first [\d,]+ of 3,000. Scroll down for more.$/);
    await page.getByRole("grid", { name: "Log" }).focus();
    await browser.press("End");
    await seen(/^\d,\d+ operations found$/);
    await browser.open(`/@shop/tasks/${id}?text=nobody-has-this`);
    await seen("0 operations found");
    await seen("No operation matches these filters");
    await browser.expectAccessible();
    await browser.shoot("task-searched");
    await browser.open(`/@shop/tasks/${id}?text=${"a".repeat(201)}`);
    await seen("text has 201 characters; it must have 1 to 200");
    expect(await page.getByText("Scroll down for more").count()).toBe(0);
    expect(await page.getByLabel("Text", { exact: true }).getAttribute("maxlength")).toBe("200");
  });

  test("open the failures of a cause in the editor, and copy their command", async () => {
    const { page, tenant } = browser;
    const { id } = await runFile(tenant, file(60));
    await browser.open(`/@shop/tasks/${id}`);
    const cause = page.getByRole("listitem").filter({ hasText: "product/variant/delete" });
    await cause.getByText(/^such as: .*missing-5/).waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await cause.getByRole("button", { name: "Copy as CLI" }).click();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toMatch(
      new RegExp(`^lading mass-operation logs ${id} --cause 'No product variant has .*'`),
    );
    const edit = cause.getByRole("button", { name: "Edit these" });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/failures.json*", (route) => held.then(() => route.continue()));
    const ofFile = (request: Request) => /failures\.json/.test(request.url());
    const begun = page.waitForRequest(ofFile);
    const ended = Promise.race([
      page.waitForEvent("requestfinished", ofFile),
      page.waitForEvent("requestfailed", ofFile).catch(() => undefined),
    ]);
    await edit.click();
    await begun;
    // This page stays until the script of the next one has come.
    await page.route("**/*.js", (route) => ended.then(() => route.continue()));
    await page.getByRole("link", { name: "Browse", exact: true }).click();
    await page.waitForURL(/\/browse$/);
    answer();
    await ended;
    await page.waitForTimeout(300);
    expect(path()).toBe("/console/@shop/browse");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.goBack();
    await edit.click();
    await page.waitForURL(/\/run$/);
    await seen(/missing-5/);
    const text = await page.locator(".cm-content").textContent();
    expect(text?.match(/missing-\d+/g)).toEqual(
      operations(60).flatMap((operation) => ("sku" in operation ? [operation.sku] : [])),
    );
    await browser.open(`/@shop/tasks/${id}`);
  });

  test("compare a run with another one of the same file", async () => {
    const operations = [parent(900), parent(901)].map(({ identifier }, i) => ({
      ...{ intent: "customer/upsert", identifier: `compared-${i}`, type: "individual" },
      parents: [{ identifier, type: "customerGroup" }],
    }));
    const first = await runFile(browser.tenant, { version: "1.0.0", operations });
    const group = { intent: "customer/group/upsert", identifier: "none-901", name: "There now" };
    await runFile(browser.tenant, { version: "1.0.0", operations: [group] });
    const second = await runFile(browser.tenant, { version: "1.0.0", operations });
    await browser.open(`/@shop/tasks/${second.id}?tab=compare`);
    const other = browser.page.getByRole("row").filter({ hasText: first.id.slice(-4) });
    await other.getByText("failed").waitFor();
    await other.getByRole("button", { name: "Differences" }).click();
    await seen("1 operation failed in one of the runs only, or with another message");
    await seen("did not fail");
    await browser.expectAccessible();
    await browser.shoot("task-compare");
  });

  /** The counts of the views, as the service has them. */
  const counts = async () => {
    const answer = await browser.tenant.graphql<{ taskOverview: { counts: Record<string, number> } }>(
      "{ taskOverview { counts { running held openFailures planned } } }",
    );
    return answer.taskOverview.counts;
  };
  const chip = (word: string) => button(new RegExp(`^${word} \\d`));

  test("show a new task within two seconds on the overview, and what the service counts while it runs", async () => {
    const { page, tenant } = browser;
    await browser.open("/@shop/overview");
    const running = page.getByRole("region", { name: /^Running/ });
    await running.getByText("No tasks are running.").waitFor();
    const id = await startFile(tenant, file(100_000));
    await running.getByTitle(id).waitFor({ timeout: 2_000 });
    const shown = async () =>
      Number((await running.getByText(/ % of 100,000/).textContent())?.split(" ")[0]) * 1_000;
    await running.getByText(/ % of 100,000 operations · .*\/s/).waitFor();
    const earlier = (await progressOf(id)).processed;
    await vi.waitFor(async () => expect(await shown()).toBeGreaterThanOrEqual(earlier - 100), {
      timeout: 5_000,
    });
    expect(await shown()).toBeLessThanOrEqual((await progressOf(id)).processed);
    await browser.shoot("overview");
    await finished(tenant, id);
    await running.getByText("No tasks are running.").waitFor({ timeout: 2_000 });
    const open = page.getByRole("region", { name: /^Open failures/ });
    const entry = open.getByRole("listitem").filter({ has: page.getByTitle(id) });
    const { failed } = await progressOf(id);
    await entry.getByRole("link", { name: `${failed.toLocaleString("en")} open failures` }).click();
    await seen(`${failed.toLocaleString("en")} operations`);
    expect([path(), search()]).toEqual([`/console/@shop/tasks/${id}`, { unrepaired: "true" }]);
  });

  test("count the views of tasks as the service does, and keep search and days in the URL", async () => {
    const { page, tenant } = browser;
    const held = await startFile(tenant, file(20), { holdAfter: 5 });
    await browser.open("/@shop/tasks");
    await chip("Held").getByText("1").waitFor();
    const { openFailures = 0, planned } = await counts();
    expect(await counts()).toMatchObject({ running: 0, held: 1 });
    expect(openFailures).toBeGreaterThan(1);
    expect(await chip("Running").textContent()).toBe("Running 0");
    expect(await chip("Open failures").textContent()).toBe(`Open failures ${openFailures}`);
    expect(await chip("Planned").textContent()).toBe(`Planned ${planned}`);
    await chip("Open failures").click();
    await vi.waitFor(async () => expect(await rows("Tasks").count()).toBe(openFailures + 1));
    await chip("Held").click();
    const row = rows("Tasks").filter({ has: page.getByTitle(held) });
    await row.getByText("5 operations were executed (holdAfter)").waitFor();
    await page.getByLabel("Search").fill("OPERATIONS.js");
    await page.waitForURL(/text=/);
    await page.getByLabel("Until").fill("2026-01-31");
    await seen("No task matches these filters");
    await page.reload();
    await seen("No task matches these filters");
    expect(search()).toEqual({ view: "held", text: "OPERATIONS.js", until: "2026-01-31" });
    await page.getByRole("link", { name: "Remove the filters" }).click();
    await page.getByLabel("Search").fill(held.slice(0, 20));
    await vi.waitFor(async () => expect(await rows("Tasks").count()).toBe(2));
    await tenant.graphql(
      "mutation ($id: ID!) { resumeBulkTask(id: $id) { ... on BulkTaskMassOperation { id } ... on BasicError { error } } }",
      {
        id: held,
      },
    );
    await finished(tenant, held);
    await row.getByText(/^\d × /).waitFor();
  });

  test("have progress and failures on the screen of a phone, below one row of navigation", async () => {
    const { page } = browser;
    await browser.open("/@shop/tasks?view=openFailures");
    const card = rows("Tasks").nth(1);
    const navigation = page.getByRole("navigation", { name: "Console" });
    const lastPage = navigation.getByRole("link", { name: "Tenant", exact: true });
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect((await navigation.boundingBox())?.height).toBeLessThan(50);
      const box = await lastPage.boundingBox();
      expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    }
    for (const word of ["Progress", "Failed", "Reason"]) {
      const box = await card.getByText(word, { exact: true }).boundingBox();
      expect((box?.x ?? 999) + (box?.width ?? 0), word).toBeLessThan(390);
    }
    await browser.expectAccessible();
    await card.getByRole("link").first().click();
    await rows("Log").nth(1).waitFor();
    const log = page.getByRole("grid", { name: "Log" });
    await log.evaluate((element) => element.scrollIntoView({ block: "end" }));
    expect((await log.boundingBox())?.height).toBeGreaterThan(300);
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  test("fit a window of 640 pixels, as of 200 % zoom, with the tenant's name in the frame", async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 640, height: 400 });
    for (const address of ["overview", "tasks", "run", "browse"]) {
      await browser.open(`/@shop/${address}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth"), address).toBeLessThanOrEqual(640);
      expect((await page.getByLabel("Tenant").boundingBox())?.width, address).toBeGreaterThan(70);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  test("confirm starting, holding, resuming and cancelling a task", async () => {
    const id = await pendingFile(browser.tenant, file(40_000));
    await browser.open(`/@shop/tasks/${id}`);
    for (const [step, state] of [
      ["Start", /^(waiting|running)$/],
      ["Hold", "held"],
      ["Resume", /^(waiting|running)$/],
    ] as const) {
      await button(`${step} …`).click();
      await button(step).last().click();
      await seen(state);
      // Looked at while it cannot end.
      if (state === "held") await browser.expectAccessible();
    }
    await browser.shoot("task-running");
    await button("Cancel …").click();
    await button("Cancel").last().click();
    await seen("cancelled");
    const { info } = await finished(browser.tenant, id);
    expect(info?.errorName).toBe("Cancelled");
    await button("Retry …").waitFor(); // what a task offers once it has ended
    await browser.expectAccessible();
  });

  test("say that a change without an answer may have happened, and can be repeated", async () => {
    const { page, tenant } = browser;
    const id = await pendingFile(tenant, file(1));
    await browser.open(`/@shop/tasks/${id}`);
    await button("Start …").click();
    await page.route("**/@shop", (route, request) =>
      request.postData()?.includes("mutation Start") ? route.abort("connectionreset") : route.continue(),
    );
    await button("Start").last().click();
    await page.getByRole("alert").getByText("It is unknown whether the task was changed").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await button("Start").last().click();
    await seen("complete");
    expect(browser.reports.splice(0).filter((report) => !/ERR_/.test(report))).toEqual([]);
  });

  test("say in a dialog, which can be closed, that what can be retried could not be read", async () => {
    const { page, tenant } = browser;
    const { id } = await runFile(tenant, file(60));
    await browser.open(`/@shop/tasks/${id}`);
    await page.route("**/@shop", (route, request) =>
      request.postData()?.includes("query Open(")
        ? route.fulfill({ json: { errors: [{ message: "The log is out of reach", extensions: {} }] } })
        : route.continue(),
    );
    await button("Retry …").click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("The log is out of reach").waitFor();
    await browser.expectAccessible();
    expect(await dialog.getByRole("button", { name: "Retry" }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.unrouteAll({ behavior: "wait" });
    await button("Retry …").click();
    await dialog.getByRole("button", { name: /^Retry \d+$/ }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  test("list the issues of a file that was not executed, with positions", async () => {
    const { id } = await runFile(browser.tenant, {
      version: "1.0.0",
      operations: [{ intent: "customer/group/upsert" }, { intent: "nothing/known" }],
    });
    await browser.open(`/@shop/tasks/${id}`);
    await rows("Issues").nth(1).waitFor();
    await browser.page.setViewportSize({ width: 390, height: 800 });
    const problem = rows("Issues")
      .nth(1)
      .getByText(/expected|missing|unknown/i)
      .first();
    await expect.poll(async () => (await problem.boundingBox())?.x).toBeLessThan(100);
    await browser.page.setViewportSize({ width: 1_280, height: 800 });
    await browser.expectAccessible();
    await browser.shoot("task-invalid");
    await browser.page.getByRole("tab", { name: "Issues" }).focus();
    await browser.press("ArrowRight");
    await seen("History");
    expect(search()).toEqual({ tab: "about" });
    await browser.expectAccessible();
    await browser.shoot("task-about");
    const about = browser.page.getByRole("tabpanel");
    expect(await about.getByRole("link", { name: "operations.json", exact: true }).count()).toBe(1);
    await browser.page.getByRole("link", { name: "Edit the file" }).click();
    await seen("2 operations");
    await browser.page.getByText("operations.json").first().waitFor();
  });

  test("say that a task does not exist", async () => {
    await browser.open("/@shop/tasks/gone");
    await seen("BulkTaskNotFoundError");
    for (const address of ["/nowhere", "/@shop/tasks/%F0%9F"]) {
      await browser.open(address);
      await seen(/Page not found|This task cannot be shown/);
    }
    await browser.expectAccessible();
  });

  test("follow a task by one stream, and never load its whole log", async () => {
    const requests: string[] = [];
    browser.page.on("request", (request) => requests.push(request.postData() ?? ""));
    const id = await pendingFile(browser.tenant, file(3_000));
    await browser.open(`/@shop/tasks/${id}`);
    await startPending(browser.tenant, id);
    await finished(browser.tenant, id);
    await seen("complete");
    const before = requests.length;
    await browser.page.getByRole("grid", { name: "Log" }).focus();
    await browser.press("End");
    await seen("2,999");
    expect(requests.filter((body) => body.includes("subscription Watch("))).toHaveLength(1);
    const pages = requests.slice(before).filter((body) => body.includes("query Numbered"));
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.length).toBeLessThan(6);
    await browser.press("Home");
    await seen("group-0");
    expect(await rows("Log").count()).toBeLessThan(60);
  });

  test("redirect to sign-in and back when the session was ended elsewhere", async () => {
    const id = await startFile(browser.tenant, file(10));
    await browser.open("/@shop/tasks?kind=run");
    await seen("complete");
    const headers = { "sec-fetch-site": "same-origin" };
    await browser.page.context().request.delete(`${browser.service.url}/console/session`, { headers });
    await browser.page.getByLabel("Secret").waitFor();
    await browser.page.getByLabel("Token id").fill(browser.tenant.access.accessTokenId);
    await browser.page.getByLabel("Secret").fill(browser.tenant.access.accessTokenSecret);
    await browser.press("Enter");
    await browser.page.getByTitle(id).waitFor();
    expect([path(), search()]).toEqual(["/console/@shop/tasks", { kind: "run" }]);
    expect(browser.reports.splice(0).filter((report) => !report.includes("401"))).toEqual([]);
  });

  test("show the sign-in page after signing out", async () => {
    await button("Sign out").click();
    await browser.page.getByLabel("Secret").waitFor();
    expect(path()).toBe("/console/sign-in");
    expect(browser.reports.splice(0).filter((report) => !report.includes("401"))).toEqual([]);
  });
});
