import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { clientWithRole } from "../../support/client.ts";
import { finished, runFile, startFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const group = (i: number, name = `Group ${i}`) => ({
  ...{ intent: "customer/group/upsert", identifier: `group-${i}`, name },
});
const shape = (components: string[]) => ({
  ...{ intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product" },
  components: components.map((id) => ({ id, name: id, type: "singleLine" })),
});
const variant = (sku: string, price: number, isDefault: boolean) => ({
  ...{ sku, name: sku, isDefault, priceVariants: [{ identifier: "default", price }] },
});
const product = (...variants: object[]) => ({
  ...{ intent: "product/upsert", resourceIdentifier: "sencha", language: "en", name: "Sencha" },
  ...{ shapeIdentifier: "tea", vatTypeId: "{{ defaults.vatTypeIds.[0] }}", variants },
});

/** Initial operations: groups, and a product with two variants and content in both components of its shape. */
const stored = [
  ...Array.from({ length: 6 }, (_, i) => group(i)),
  shape(["taste", "origin"]),
  {
    ...product(variant("sencha-100", 9, true), variant("sencha-500", 40, false)),
    components: [
      { componentId: "taste", singleLine: { text: "grassy" } },
      { componentId: "origin", singleLine: { text: "Uji" } },
    ],
  },
];

/** Two deletions among other operations: one removes a variant, one deletes content, one fails. */
const planned = [
  group(0, "Renamed"),
  group(1),
  product(variant("sencha-100", 10, true)),
  shape(["taste"]),
  { intent: "customer/group/delete", identifier: "group-4" },
  group(7, "Tea club"),
  { intent: "product/variant/delete", sku: "missing" },
  { intent: "customer/group/delete", identifier: "group-5" },
  ...Array.from({ length: 60 }, (_, i) => group(100 + i)),
];

describeConsole("the page of a plan", () => {
  let browser: ConsoleBrowser;
  let plan: string;

  beforeAll(async () => {
    browser = await openConsole();
    browser.page.setDefaultTimeout(10_000);
    const { status, progress } = await runFile(browser.tenant, { version: "1.0.0", operations: stored });
    expect({ status, failed: progress.failed }).toEqual({ status: "complete", failed: 0 });
    plan = await planFile({ version: "1.0.0", operations: planned });
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  const planFile = async (file: object, client = browser.tenant) => {
    const key = await client.upload(new Blob([JSON.stringify(file)]));
    const { createMassOperationBulkTask: task } = await client.graphql<{
      createMassOperationBulkTask: { id: string };
    }>(
      `mutation ($key: String!) { createMassOperationBulkTask(input: { key: $key, kind: plan, autoStart: true }) {
         ... on BulkTaskMassOperation { id } ... on BasicError { message } } }`,
      { key },
    );
    await finished(browser.tenant, task.id);
    return task.id;
  };
  const path = () => new URL(browser.page.url()).pathname;
  const search = () => Object.fromEntries(new URL(browser.page.url()).searchParams);
  const seen = (wanted: string | RegExp) =>
    browser.page.getByText(wanted).filter({ visible: true }).first().waitFor();
  const button = (name: string | RegExp) => browser.page.getByRole("button", { name });
  const grid = () => browser.page.getByRole("treegrid", { name: "Planned operations" });
  const row = (text: string | RegExp) => grid().getByRole("row").filter({ hasText: text });
  const counts = () => browser.page.getByRole("region", { name: /what they would do/ });
  const losses = () => browser.page.getByRole("region", { name: "Would remove" });

  test("shows deletions first", async () => {
    await browser.open(`/@shop/tasks/${plan}`);
    const lines = losses().getByRole("listitem");
    await lines.first().waitFor();
    expect(await lines.allTextContents()).toEqual([
      "2customer/group/delete operations",
      "1variant",
      expect.stringMatching(/^1item loses content in .*origin/),
    ]);
    const top = (locator: { boundingBox(): Promise<{ y: number } | null> }) =>
      locator.boundingBox().then((box) => box?.y ?? Number.NaN);
    expect(await top(losses())).toBeLessThan(await top(counts()));
    expect(await top(counts())).toBeLessThan(await top(grid()));
    await row("group-0").waitFor();
    await browser.expectAccessible();
    await browser.shoot("plan");
  });

  test("counts operations by effect; clicking a count filters, and sets the URL", async () => {
    expect(await counts().getByRole("button").allTextContents()).toEqual([
      "all 68",
      "would create 61",
      "would update 3",
      "would not change 1",
      "would delete 2",
      "would fail 1",
    ]);
    await counts()
      .getByRole("button", { name: /would fail/ })
      .click();
    await row("missing").waitFor();
    expect(search()).toEqual({ status: "failure" });
    expect(await grid().getAttribute("aria-rowcount")).toBe("2");
    await row("missing").getByText("would fail").waitFor();
    await row("missing").getByText('No product variant has the SKU "missing"').waitFor();
    await losses()
      .getByRole("link", { name: /customer\/group\/delete/ })
      .click();
    await row("group-4").waitFor();
    expect(search()).toEqual({ action: "deleted", intent: "customer/group/delete" });
    expect(await grid().getAttribute("aria-rowcount")).toBe("3");
    await browser.page.reload();
    await row("group-5").waitFor();
    expect(await counts().getByRole("button", { pressed: true }).textContent()).toBe("would delete 2");
    await counts().getByRole("button", { name: /^all/ }).click();
    await row("group-0").waitFor();
    expect(search()).toEqual({});
  });

  test("shows an operation's values before and after in its row, by keyboard", async () => {
    await grid().focus();
    await browser.press("Home", "Enter", "ArrowDown", "ArrowDown", "ArrowRight");
    const renamed = row("group-0");
    await renamed.getByText('"Renamed"').waitFor();
    expect(await renamed.getByRole("row").filter({ hasText: "/name" }).textContent()).toBe(
      '/name"Group 0""Renamed"',
    );
    await row("sencha").getByText("/priceVariants/0/price").waitFor();
    await row("sencha").getByText("sencha-500").first().waitFor();
    // What follows moved down.
    const [detail, next] = [renamed.locator("[aria-colspan]"), row("group-1").first()];
    const bottom = await detail.boundingBox().then((box) => (box?.y ?? 0) + (box?.height ?? 0));
    expect((await next.boundingBox())?.y).toBeGreaterThanOrEqual(bottom - 1);
    await browser.expectAccessible();
    await browser.shoot("plan-open");
    await browser.press("ArrowLeft");
    await row("sencha").locator("[aria-colspan]").waitFor({ state: "detached" });
    await browser.press("End");
    await row("group-159").waitFor();
    await browser.press("Home");
    await renamed.getByText('"Renamed"').waitFor();
    await renamed.getByRole("link", { name: "View in file" }).click();
    await browser.page.getByRole("region", { name: "File" }).getByText("Renamed").first().waitFor();
    await browser.page.goBack();
  });

  test("links to its run, and says why another run is refused", async () => {
    await runFile(browser.tenant, { version: "1.0.0", operations: [group(0, "Changed since")] });
    await browser.open(`/@shop/tasks/${plan}`);
    await button("Run this plan …").click();
    const dialog = browser.page.getByRole("alertdialog");
    await dialog.getByText(/68 operations: 61 would create, 3 would update, .*, 1 would fail/).waitFor();
    await dialog.getByText("2 customer/group/delete operations").waitFor();
    await browser.shoot("plan-follow");
    await button("Run this plan").last().click();
    await seen("Follows plan");
    await seen("complete");
    const run = path().split("/").at(-1) ?? "";
    expect(run).not.toBe(plan);
    const { log } = await finished(browser.tenant, run);
    expect(log.filter(({ status }) => status === "failure").map(({ errorName }) => errorName)).toEqual([
      "ChangedSincePlanError",
      "ProductVariantNotFoundError",
    ]);
    await seen(/ChangedSincePlanError/);
    const pruned = await planFile({ version: "1.0.0", operations: planned });
    const other = await planFile({ version: "1.0.0", operations: planned });
    await browser.open(`/@shop/tasks/${other}`);
    await button("Run this plan …").click();
    await dialog.waitFor();
    await browser.tenant.graphql(
      `mutation ($plan: ID!) { createMassOperationBulkTask(input: { plan: $plan, autoStart: true }) {
         ... on BulkTaskMassOperation { id } ... on BasicError { message } } }`,
      { plan: other },
    );
    await dialog.waitFor({ state: "detached" });
    await browser.open(`/@shop/tasks/${pruned}`);
    await button("Run this plan …").click();
    await browser.tenant.graphql(
      "mutation { pruneBulkTasks(olderThanDays: 0) { ... on PrunedBulkTasks { tasks } ... on BasicError { message } } }",
    );
    await button("Run this plan").last().click();
    await seen(/Plan the file again to run it/);
    await dialog.getByText(/was pruned.*Plan the file again/).waitFor();
    await browser.expectAccessible();
    await browser.shoot("plan-refused");
  });

  test("works the same for the plan of an undo", async () => {
    const operations = [group(300), group(100, "Renamed"), group(301)];
    const { id } = await runFile(browser.tenant, { version: "1.0.0", operations });
    await browser.open(`/@shop/tasks/${id}`);
    await button("Undo …").click();
    await button("Plan the undo").click();
    await seen("Plans to undo");
    await losses().getByText("customer/group/upsert operations").waitFor();
    await grid().focus();
    await browser.press("Home", "ArrowDown", "Enter");
    const undone = row("group-100").getByRole("row").filter({ hasText: "/name" });
    await undone.waitFor();
    expect(await undone.textContent()).toBe('/name"Renamed""Group 100"');
    await browser.shoot("plan-undo");
    await browser.expectAccessible();
  });

  /** Opens the page with a token of another role. */
  async function signInAs(role: "reader" | "planner") {
    const { service, tenant, page } = browser;
    const client = await clientWithRole(service, tenant, role);
    const { access } = client;
    const signedIn = await page.context().request.post(`${service.url}/console/session`, {
      headers: { "sec-fetch-site": "same-origin" },
      data: {
        tenant: "shop",
        accessTokenId: access.accessTokenId,
        accessTokenSecret: access.accessTokenSecret,
      },
    });
    expect(signedIn.status(), await signedIn.text()).toBe(200);
    return client;
  }

  test("shows a planner the values, and who can run the plan", async () => {
    const planner = await signInAs("planner");
    const own = await planFile({ version: "1.0.0", operations: [group(100, "Proposed")] }, planner);
    await browser.open(`/@shop/tasks/${own}`);
    await row("group-100").waitFor();
    expect(await button("Run this plan …").count()).toBe(0);
    await seen("An admin can run this plan: you have the role planner.");
    await grid().focus();
    await browser.press("Home", "Enter");
    await row("group-100").getByRole("row").filter({ hasText: "/name" }).waitFor();
    await browser.open("/@shop/run");
    await button("Plan").waitFor();
    expect(await button("Run …").count()).toBe(0);
  });

  test("offers a planner to start and cancel its own plans, and no others", async () => {
    const planner = await signInAs("planner");
    const file = { version: "1.0.0", operations: [group(100, "Proposed")] };
    const pending = { kind: "plan", autoStart: false };
    const [other, own] = [
      await startFile(browser.tenant, file, pending),
      await startFile(planner, file, pending),
    ];
    await browser.open(`/@shop/tasks/${other}`);
    await seen("Read-only: you have the role planner.");
    expect(await button(/^(Start|Cancel) …/).count()).toBe(0);
    await browser.open(`/@shop/tasks/${own}`);
    await button("Start …").waitFor();
    await button("Cancel …").waitFor();
  });

  test("hides values and actions from a token that may not write, and says so", async () => {
    const own = await planFile({ version: "1.0.0", operations: [group(100, "Another")] });
    await signInAs("reader");
    await browser.open(`/@shop/tasks/${own}`);
    await row("group-100").waitFor();
    expect(await button("Run this plan …").count()).toBe(0);
    await seen("Read-only: you have the role reader.");
    await grid().focus();
    await browser.press("Home", "Enter");
    await seen(
      "You cannot see the values before and after: they need the role admin, or planner for your own plans.",
    );
    await browser.open(`/@shop/tasks/${own}/operations/0`);
    await seen(
      "You cannot see the values before and after: they need the role admin, or planner for your own plans.",
    );
  });
});
