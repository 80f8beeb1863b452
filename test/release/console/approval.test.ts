import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { agent } from "../../../packages/cli/test/support/agent.ts";
import { clientWithRole } from "../../support/client.ts";
import { finished, runFile } from "../../support/service.ts";
import { describeConsole } from "./browser.ts";
import { openPersonConsole, type PersonConsole } from "./persons.ts";

const shape = {
  ...{ intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product" },
  components: [{ id: "taste", name: "Taste", type: "singleLine" }],
};
const tea = (price: number, ...skus: string[]) => ({
  ...{ intent: "product/upsert", resourceIdentifier: "sencha", language: "en", name: "Sencha" },
  ...{ shapeIdentifier: "tea", vatTypeId: "{{ defaults.vatTypeIds.[0] }}" },
  variants: skus.map((sku, at) => ({
    ...{ sku, name: sku, isDefault: at === 0, priceVariants: [{ identifier: "default", price }] },
  })),
});

describeConsole("a plan of an agent that a person runs", () => {
  let browser: PersonConsole;

  beforeAll(async () => {
    browser = await openPersonConsole();
    browser.page.setDefaultTimeout(15_000);
    const { idp, tenant } = browser;
    idp.persons.set("grace", { name: "Grace Hopper", groups: ["shop-owners"] });
    await browser.map("shop-owners", "admin");
    const { progress } = await runFile(tenant, {
      version: "1.0.0",
      operations: [shape, tea(9, "sencha-100", "sencha-500")],
    });
    expect(progress.failed).toBe(0);
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  test("is on the first page, shows its values and losses, and both are in the audit trail", async () => {
    const { page, service, tenant, idp } = browser;
    const planner = await clientWithRole(service, tenant, "planner");
    const { accessTokenId, accessTokenSecret } = planner.access;
    const { call } = await agent(
      ...["shop", "--url", service.url],
      ...["--token-id", accessTokenId, "--token-secret", accessTokenSecret],
    );
    const planned = await call("plan", { operations: [tea(11, "sencha-100")] });
    expect(planned).toMatchObject({ isError: false, says: expect.stringContaining("Nothing was changed") });
    const [, path = "", plan = ""] = /\/console(\/@shop\/tasks\/(\w+))/.exec(planned.says) ?? [];

    idp.signedIn = "grace";
    await page.goto(browser.at("/"));
    await page.getByRole("link", { name: /^Sign in with/ }).click();
    await page.waitForURL(browser.at("/@shop/overview"));
    const waiting = page.getByRole("region", { name: /Plans to approve 1/ });
    await waiting.getByText("planner").waitFor();
    expect(await waiting.innerText()).toMatch(/would remove\s+1 variant$/m);
    await browser.expectAccessible();
    await browser.shoot("approval-first");
    await waiting.getByRole("link", { name: /^Plan of/ }).click();
    await page.waitForURL(browser.at(path));
    await page.getByText("planned by planner").waitFor();
    expect(await page.getByRole("region", { name: "Would remove" }).innerText()).toMatch(/1\s*variant$/);
    const grid = page.getByRole("treegrid", { name: "Planned operations" });
    await grid.getByRole("row").filter({ hasText: "sencha" }).first().waitFor();
    await grid.focus();
    await browser.press("Home", "Enter");
    const price = grid.getByRole("row").filter({ hasText: /^\/priceVariants\/0\/price/ });
    expect(await price.textContent()).toBe("/priceVariants/0/price911");
    await browser.shoot("approval-plan");
    await page.getByRole("button", { name: "Run this plan …" }).click();
    await browser.shoot("approval-run");
    await page.getByRole("alertdialog").getByText("1 variant").waitFor();
    await page.getByRole("button", { name: "Run this plan" }).last().click();
    await page.getByText("Follows plan").waitFor();
    await page.getByText("created by Grace Hopper").waitFor();
    const run = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { status, progress } = await finished(tenant, run);
    expect({ status, updated: progress.updated }).toEqual({ status: "complete", updated: 1 });

    await page.getByRole("tab", { name: "About" }).click();
    await page
      .getByText(/created by Grace Hopper/)
      .nth(1)
      .waitFor();
    const { auditTrail } = await tenant.graphql<{ auditTrail: { edges: { node: object }[] } }>(
      `{ auditTrail(filter: { action: "bulkTask.created" }, first: 10) { ... on AuditEntryConnection {
           edges { node { subjectId actor accessTokenName personName personSubject } } } } }`,
    );
    const entries = auditTrail.edges.map(({ node }) => node);
    expect(entries).toContainEqual({
      ...{ subjectId: plan, actor: "accessToken", accessTokenName: "planner" },
      ...{ personName: null, personSubject: null },
    });
    expect(entries).toContainEqual({
      ...{ subjectId: run, actor: "person", accessTokenName: null },
      ...{ personName: "Grace Hopper", personSubject: "grace" },
    });
    await browser.open("/@shop/overview");
    await page.getByText("No plans to approve.").waitFor();
    await page.goto(browser.at(path));
    const link = page.getByRole("listitem").filter({ hasText: "Followed by" }).getByRole("link");
    expect(await link.getAttribute("href")).toMatch(new RegExp(`/tasks/${run}$`));
    expect(await page.getByRole("button", { name: /^Run this plan/ }).count()).toBe(0);
  });
});
