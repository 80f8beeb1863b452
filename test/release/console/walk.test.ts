import { afterAll, beforeAll, expect, test } from "vitest";
import { blocks, page as documentation } from "../../docs/pages.ts";
import { runFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

describeConsole("the walk of docs/console.md", () => {
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    browser = await openConsole();
    await runFile(browser.tenant, documentation("examples/quickstart.json"));
  });
  afterAll(() => browser?.close());

  const seen = (wanted: string | RegExp) =>
    browser.page.getByText(wanted).filter({ visible: true }).first().waitFor();

  /** Pastes a text into the editor of the Run page. */
  const paste = async (text: string) => {
    const editor = browser.page.getByRole("textbox", { name: /^Mass operation file/ });
    await editor.focus();
    await editor.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  };

  test("leads from a failure to its cause, and by a retry to none", async () => {
    const { page } = browser;
    await browser.open("/@shop/tasks");
    await page.getByRole("grid", { name: "Tasks" }).getByRole("link").click();
    const { pathname: task } = new URL(page.url());
    await page.getByRole("link", { name: 'No product variant has the SKU "mug-harbour-gold"' }).click();
    await seen("1 operation");
    await page.getByRole("grid", { name: "Log" }).getByRole("link").click();
    await page.getByText('No product variant has the SKU "mug-harbour-gold"').first().waitFor();

    const [repair = ""] = blocks(documentation("docs/console.md").replaceAll(/^ {3}/gm, ""), "json repair");
    await page.getByRole("link", { name: "Run", exact: true }).click();
    await paste(repair);
    await page.getByRole("button", { name: "Run …" }).click();
    await page.getByRole("button", { name: "Run 1 operation" }).click();
    await seen("complete");
    await page.goto(`${browser.service.url}${task}`);
    await page.getByRole("button", { name: "Retry …" }).click();
    await page.getByRole("button", { name: "Retry 1" }).click();
    await seen("Retries");
    await seen("complete");
    await page.goto(`${browser.service.url}${task}`);
    await seen(/1 repaired/);
    await page.getByLabel("Not repaired yet").check();
    await seen("No operation matches these filters");
    expect(browser.reports).toEqual([]);
  });
});
