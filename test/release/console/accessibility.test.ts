import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openExampleHost } from "../../support/examples.ts";
import { pendingFile, runFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

/** A page's route, an example URL, and a text or name that appears once it has loaded. */
type Look = readonly [route: string, address: string, ready: string | RegExp];

const kinds = [
  "variants",
  "customers",
  "orders",
  "price-lists",
  "topics",
  "images",
  "shapes",
  "pieces",
  "flows",
];

const empty: readonly Look[] = [
  ["/sign-in", "/sign-in", "Sign in to a tenant"],
  ["/overview", "/overview", "Nothing has run here yet"],
  ["/tasks", "/tasks", "No tasks yet"],
  ["/tasks", "/tasks?status=error", "No task matches these filters"],
  ["/tasks/$task", "/tasks/gone", "BulkTaskNotFoundError"],
  ["/tasks/$task/operations/$index", "/tasks/gone/operations/0", "BulkTaskNotFoundError"],
  ["/run", "/run", "No file yet"],
  ["/browse", "/browse", "No items yet"],
  ["/browse", "/browse?text=nothing", "No matches"],
  ["/browse/export", "/browse/export?kind=content", /^Choose a shape/],
  ["/browse/items/$item", "/browse/items/000000000000000000000000", "ItemNotFoundError"],
  ...kinds.map((kind): Look => ["/browse/$kind", `/browse/${kind}`, /^No .* yet$/]),
  ["/browse/$kind", "/browse/unicorns", "NotFound"],
  ["/browse/customers/$customer", "/browse/customers/nobody", "CustomerNotFoundError"],
  ["/browse/orders/$order", "/browse/orders/000000000000000000000000", "OrderNotFoundError"],
  ["/browse/variants/$sku", "/browse/variants/gone", "ProductVariantNotFoundError"],
  ["/tenant", "/tenant", "1 GiB"],
  ["/tenant", "/tenant?tab=settings", "None yet: operations create them."],
  ["/tenant", "/tenant?tab=tokens", "first token"],
];

/** Pages of a tenant with data of every kind; `{…}` is the id of a task or an item. */
const full: readonly Look[] = [
  ["/overview", "/overview", "Open failures"],
  ["/tasks", "/tasks", "complete"],
  ["/tasks", "/tasks?view=openFailures", "complete"],
  ["/tasks/$task", "/tasks/{failed}", "1 cause"],
  ["/tasks/$task", "/tasks/{failed}?status=failure&text=SKU", "1 operation"],
  ["/tasks/$task", "/tasks/{failed}?tab=issues", "The file has no issues"],
  ["/tasks/$task", "/tasks/{failed}?tab=about", "History"],
  ["/tasks/$task", "/tasks/{invalid}", /not a known intent/],
  ["/tasks/$task", "/tasks/{pending}", "Not started"],
  ["/tasks/$task/operations/$index", "/tasks/{failed}/operations/0", "As written"],
  ["/tasks/$task/operations/$index", "/tasks/{failed}/operations/1", /^Bytes/],
  ["/tasks/$task/operations/$index", "/tasks/{failed}/operations/2", "This operation has no log entry"],
  ["/tasks/$task/file", "/tasks/{invalid}/file?issue=1", /not a known intent/],
  ["/tasks/$task/file", "/tasks/{failed}/file?operation=1", "Operation 1"],
  ["/run", "/run?task={invalid}", /not a known intent/],
  ["/browse", "/browse", "Teas"],
  ["/browse", "/browse?text=sencha", "sencha-100"],
  ["/browse/export", "/browse/export?kind=variants&text=sencha", "Download its map"],
  ["/browse/export", "/browse/export?kind=orders", /^Read-only/],
  ["/browse/items/$item", "/browse/items/{item}", "sencha-100"],
  [
    "/browse/items/$item",
    "/browse/items/{item}?version=published&language=ja",
    "Not published in this language",
  ],
  ["/browse/items/$item", "/browse/items/{item}?version=changes", "No unpublished changes"],
  ["/browse/items/$item", "/browse/items/{item}?second=ja", "sencha-100"],
  ["/browse/customers/$customer", "/browse/customers/okakura", "order-1"],
  ["/browse/orders/$order", "/browse/orders/{order}", "sencha-100"],
  ["/browse/variants/$sku", "/browse/variants/sencha-100", "sencha-100"],
  ...kinds.map((kind): Look => ["/browse/$kind", `/browse/${kind}`, /^[A-Z]/]),
  ["/tenant", "/tenant", "1 GiB"],
  ["/tenant", "/tenant?tab=settings", "Tea lands"],
];

describeConsole("every page of the console, in both themes", () => {
  let browser: ConsoleBrowser;
  let host: Awaited<ReturnType<typeof openExampleHost>>;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    host = await openExampleHost();
    browser = await openConsole({ imageHosts: ["127.0.0.1"] });
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  async function look(address: string, ready: string | RegExp): Promise<void> {
    const { page } = browser;
    const path = address.replace(/\{(\w+)\}/, (_, name: string) => ids.get(name) ?? name);
    await browser.open(path === "/sign-in" ? path : `/@shop${path}`);
    await page.getByText(ready).filter({ visible: true }).first().waitFor();
    await page.waitForFunction(
      () => document.querySelector("[class*=pending], [aria-label=Loading]") === null,
    );
    await browser.expectAccessible();
  }

  test("is checked below", () => {
    const source = readFileSync(join(import.meta.dirname, "../../../packages/console/src/routes.ts"), "utf8");
    const routes = Array.from(source.matchAll(/^ {2}path: "(.+)",$/gm), ([, route = ""]) => route);
    expect(routes).toContain("/overview");
    const looked = new Set([...empty, ...full].map(([route]) => route));
    expect(routes.filter((route) => route !== "/" && !looked.has(route))).toEqual([]);
  });

  test.each(empty)("%s is accessible when empty: %s", (_, address, ready) => look(address, ready));

  describe("of a tenant with data", () => {
    beforeAll(async () => {
      const run = async (name: string, file: unknown) => {
        ids.set(name, (await runFile(browser.tenant, file)).id);
      };
      const group = { intent: "customer/group/upsert", identifier: "club", name: "Tea club" };
      const fails = { intent: "product/variant/delete", sku: "missing" };
      await run("shop", JSON.parse(host.fetchable(host.everyIntent)));
      await run("failed", { version: "1.0.0", operations: [group, fails] });
      await run("invalid", { version: "1.0.0", operations: [{ intent: "nothing/known" }] });
      ids.set("pending", await pendingFile(browser.tenant, { version: "1.0.0", operations: [group] }));
      const { item, order } = await browser.tenant.graphql<Record<"item" | "order", { id: string }>>(
        `{ order(resourceIdentifier: "order-1") { ... on Order { id } ... on BasicError { error } }
           item(resourceIdentifier: "product-sencha", language: "en") { ... on Item { id } ... on BasicError { error } } }`,
      );
      ids.set("item", item.id);
      ids.set("order", order.id);
    });

    test.each(full)("%s is accessible: %s", (_, address, ready) => look(address, ready));

    test.each(["Retry …", "Undo …"])("the dialog of %s is accessible", async (question) => {
      await look("/tasks/{failed}", "1 cause");
      await browser.page.getByRole("button", { name: question }).click();
      await browser.page.getByRole("alertdialog").waitFor();
      await browser.expectAccessible();
    });
  });
});
