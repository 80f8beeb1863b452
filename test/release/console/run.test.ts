import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readerOf } from "../../support/client.ts";
import { finished, runFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const shape = { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product", components: [] };
const settings = [
  { intent: "vatType/upsert", _ref: "vat", name: "Food", percent: 12 },
  { intent: "priceVariant/upsert", identifier: "us", name: "United States", currency: "USD" },
];

/** A product whose price variant does not exist yet. */
const product = (i: number) => ({
  intent: "product/upsert",
  resourceIdentifier: `tea-${i}`,
  language: "en",
  shapeIdentifier: "tea",
  name: `Tea ${i}`,
  vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
  variants: [{ sku: `tea-${i}`, isDefault: true, priceVariants: [{ identifier: "us", price: 4 }] }],
});

const groups = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    intent: "customer/group/upsert",
    identifier: `group-${i}`,
    name: `Group ${i}`,
  }));

const textOf = (operations: object[], version = "1.0.0") =>
  `${JSON.stringify({ version, operations }, null, 2)}\n`;

describeConsole("the page that runs a file", () => {
  let browser: ConsoleBrowser;
  let folder: string;

  beforeAll(async () => {
    browser = await openConsole();
    browser.page.setDefaultTimeout(30_000);
    folder = await mkdtemp(join(tmpdir(), "lading-run-"));
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  const text = (wanted: string | RegExp) => browser.page.getByText(wanted).filter({ visible: true }).first();
  const seen = (wanted: string | RegExp) => text(wanted).waitFor();
  const button = (name: string | RegExp) => browser.page.getByRole("button", { name });
  const editor = () => browser.page.getByRole("textbox", { name: /^Mass operation file/ });
  const issues = () => browser.page.getByRole("list", { name: "Issues" }).getByRole("listitem");
  const shown = async (name: string) => {
    await browser.expectAccessible();
    await browser.shoot(name);
  };
  const signIn = async ({ accessTokenId, accessTokenSecret }: ConsoleBrowser["tenant"]["access"]) => {
    await browser.page.getByLabel("Tenant", { exact: true }).fill("shop");
    await browser.page.getByLabel("Token id").fill(accessTokenId);
    await browser.page.getByLabel("Secret").fill(accessTokenSecret);
    await browser.press("Enter");
  };
  const drop = async (name: string, content: string) => {
    const transfer = await browser.page.evaluateHandle(
      `(() => { const transfer = new DataTransfer();
         transfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
         return transfer; })()`,
    );
    for (const event of ["dragover", "drop"])
      await editor().dispatchEvent(event, { dataTransfer: transfer });
  };
  const choose = async (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    await writeFile(path, content);
    await browser.page.getByLabel("Mass operation file", { exact: true }).setInputFiles(path);
  };
  const taskOf = () => new URL(browser.page.url()).pathname.match(/\/tasks\/(\w+)$/)?.[1] ?? "";

  test("leads from an empty browser to a run that is repaired", async () => {
    const { page, tenant } = browser;
    await runFile(tenant, { version: "1.0.0", operations: [shape, settings[0]] });
    const invalid = textOf([...groups(300), product(1), product(2)]).replace(
      '"name": "Group 7"',
      '"nam": "Group 7"',
    );
    const named = await runFile(tenant, invalid);
    await page.context().clearCookies();
    await browser.open("/@shop/run");
    await signIn(tenant.access);
    await editor().waitFor();
    await seen("No file yet");
    await shown("run-empty");
    await drop("teas.json", invalid);
    await issues().first().waitFor();
    await shown("run-invalid");
    console.log(named.issues, await issues().allTextContents());
  });
});
