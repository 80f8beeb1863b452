import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { tenantClient } from "../../support/client.ts";
import { finished, runFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: identifier });
const fileOf = (...operations: object[]) => ({ version: "1.0.0", operations });

describeConsole("the tasks that pages show", () => {
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    browser = await openConsole();
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  const withToken = async (name: string) => {
    const { service, tenant } = browser;
    const response = await fetch(`${service.url}/operator`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${service.operatorToken}` },
      body: JSON.stringify({
        query: `mutation ($name: String!) {
          createAccessToken(tenantIdentifier: "shop", input: { name: $name, role: admin }) {
            ... on CreatedAccessToken { accessToken { id } secret } ... on BasicError { error } } }`,
        variables: { name },
      }),
    });
    const { accessToken, secret } = (await response.json()).data.createAccessToken;
    const access = { ...tenant.access, accessTokenId: accessToken.id, accessTokenSecret: secret };
    return tenantClient(service.url, "shop", access);
  };
  /** Calls a mutation on a task, and waits for the task it creates to end. */
  const follow = async (call: string): Promise<string> => {
    const { made } = await browser.tenant.graphql<{ made: { id: string } }>(
      `mutation { made: ${call} { ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
    );
    await finished(browser.tenant, made.id);
    return made.id;
  };
  const seen = (wanted: string | RegExp) => browser.page.getByText(wanted).first().waitFor();

  test("show who created each task", async () => {
    const { page, tenant } = browser;
    await runFile(tenant, fileOf(group("first")));
    await browser.open("/@shop/tasks");
    await seen("first token");
    const { id } = await runFile(await withToken("night shift"), fileOf(group("second")));
    const row = page.getByRole("row").filter({ has: page.getByTitle(id) });
    await row.getByText("night shift").waitFor();
  });

  test("stay current when somebody else retries and undoes an ended task", async () => {
    const child = { intent: "customer/upsert", identifier: "c", type: "individual" };
    const { id } = await runFile(
      browser.tenant,
      fileOf(group("third"), { ...child, parents: [{ identifier: "late", type: "customerGroup" }] }),
    );
    await browser.open(`/@shop/tasks/${id}`);
    await seen("1 cause");
    await runFile(browser.tenant, fileOf(group("late")));
    const retry = await follow(`retryBulkTask(id: "${id}", autoStart: true)`);
    await browser.page.getByText("Retried by").waitFor({ timeout: 2_000 });
    await seen("1 repaired");
    await browser.page.getByRole("columnheader", { name: "Repaired by" }).waitFor();
    await browser.page.getByRole("grid", { name: "Log" }).getByText(retry.slice(-4)).waitFor();
    await follow(`undoBulkTask(id: "${retry}", autoStart: true)`);
    await follow(`undoBulkTask(id: "${id}", autoStart: true)`);
    await browser.page.getByText(/^Undone by/).waitFor({ timeout: 2_000 });
  });

  test("show entities as of a moment, and read them again every ten seconds, on focus and by a button", async () => {
    const customer = { intent: "customer/upsert", identifier: "sixth", type: "individual" };
    const page = await browser.page.context().newPage();
    await page.clock.install();
    const rename = (name: string) => runFile(browser.tenant, fileOf({ ...customer, firstName: name }));
    const shown = (name: string) =>
      page.getByRole("row").filter({ hasText: name }).waitFor({ timeout: 4_000 });
    await rename("Named first");
    await page.goto(`${browser.service.url}/console/@shop/browse/customers`);
    await shown("Named first");
    await page
      .getByText(/^as of/)
      .locator("time")
      .waitFor();
    await rename("Named again");
    await page.clock.fastForward(11_000);
    await shown("Named again");
    await rename("Named by a button");
    await page.getByRole("button", { name: "Refresh" }).click();
    await shown("Named by a button");
    await rename("Named before a focus");
    await page.clock.fastForward(2_000);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await shown("Named before a focus");
    await page.close();
  });

  test("say that an item or a customer no longer exists", async () => {
    const { page, tenant, open } = browser;
    const run = (...operations: object[]) => runFile(tenant, fileOf(...operations));
    await run(
      { intent: "customer/upsert", identifier: "seventh", type: "individual" },
      { intent: "shape/upsert", identifier: "season", name: "Season", type: "folder" },
      {
        ...{ intent: "folder/create", shapeIdentifier: "season", language: "en", name: "Spring" },
        tree: { parentId: "{{ defaults.rootItemId }}" },
      },
    );
    await open("/@shop/browse/customers/seventh");
    await page.getByRole("heading", { name: "seventh" }).waitFor();
    await run({ intent: "customer/delete", identifier: "seventh" });
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("heading", { name: "This customer cannot be shown" }).waitFor();
    await open("/@shop/browse?text=Spring");
    await page.getByRole("link", { name: "Spring" }).click();
    await seen("No content in this language and version.");
    await run({ intent: "item/delete", itemId: new URL(page.url()).pathname.split("/").at(-1) });
    await page.getByRole("button", { name: "Refresh" }).click();
    await seen("ItemNotFoundError");
  });
});
