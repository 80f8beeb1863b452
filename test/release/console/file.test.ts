import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { finished, runFile, startFile } from "../../support/service.ts";
import { type ConsoleBrowser, describeConsole, openConsole } from "./browser.ts";

const group = (i: number) => ({
  intent: "customer/group/upsert",
  identifier: `group-${i}`,
  name: `Thé n° ${i}`,
});
const mebibyte = 1024 * 1024;

/** Lines of valid operations around an invalid one; every tenth of the first two hundred has an issue. */
function invalidFile(): string {
  const operations = Array.from({ length: 400 }, (_, i) =>
    i % 10 === 7 && i < 200
      ? { ...group(i), name: i }
      : i === 3
        ? { ...group(i), _ref: "unused", nmae: "Tea" }
        : group(i),
  );
  return JSON.stringify({ version: "1.0.0", operations }, null, 2);
}

describeConsole("the page of a task's file", () => {
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    browser = await openConsole();
    browser.page.setDefaultTimeout(10_000);
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(browser.reports.splice(0)).toEqual([]);
  });

  const file = () => browser.page.getByRole("region", { name: "File" });
  const note = (message: string) => file().getByTitle(message, { exact: true }).first();
  const seen = (wanted: string | RegExp) =>
    browser.page.getByText(wanted).filter({ visible: true }).first().waitFor();
  const search = () => Object.fromEntries(new URL(browser.page.url()).searchParams);
  const rowAbove = (message: string) =>
    note(message).evaluate((element) => {
      let row = element.previousElementSibling;
      while (row?.tagName === "P") row = row.previousElementSibling;
      return [...(row?.children ?? [])].map(({ textContent }) => textContent);
    });
  const isInView = (message: string) =>
    note(message).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const { top: first, bottom: last } =
        element.closest("section")?.getBoundingClientRect() ?? element.getBoundingClientRect();
      return top >= first && bottom <= last;
    });
  const rangesOf = async (act: () => Promise<void>) => {
    const ranges: number[] = [];
    const onResponse = async (response: { url(): string; headers(): Record<string, string> }) => {
      if (response.url().endsWith("/file")) ranges.push(Number(response.headers()["content-length"]));
    };
    browser.page.on("response", onResponse);
    await act();
    browser.page.off("response", onResponse);
    return ranges;
  };

  /** Opens the first issue of a file; returns the byte ranges read until it is visible. */
  const opened = (id: string, message: string): Promise<number[]> =>
    rangesOf(async () => {
      await browser.open(`/@shop/tasks/${id}/file?issue=1`);
      await note(message).waitFor();
    });

  test("says that the file of an unknown task does not exist", async () => {
    await browser.open("/@shop/tasks/gone/file");
    await seen("BulkTaskNotFoundError");
  });

  test("says that the file of a pruned task was removed", async () => {
    const { id } = await runFile(browser.tenant, { version: "1.0.0", operations: [group(0)] });
    await browser.tenant.graphql(
      "mutation { pruneBulkTasks(olderThanDays: 0) { ... on PrunedBulkTasks { tasks } ... on BasicError { message } } }",
    );
    await browser.open(`/@shop/tasks/${id}/file`);
    await seen("The file was removed");
    await browser.expectAccessible();
    await browser.shoot("file-removed");
    expect(browser.reports.splice(0).filter((report) => !report.includes("410"))).toEqual([]);
  });

  test("opens from the list of issues at the issue's line, with a marker", async () => {
    const { id, issues } = await runFile(browser.tenant, invalidFile());
    const [first] = issues;
    expect(first?.severity).toBe("error");
    await browser.open(`/@shop/tasks/${id}`);
    const table = browser.page.getByRole("grid", { name: "Issues" });
    await table.getByRole("row").nth(2).waitFor();
    await table.focus();
    await browser.press("ArrowDown", "Enter");
    const second = issues[1];
    await note(second?.message ?? "").waitFor();
    expect(search()).toEqual({ offset: expect.stringMatching(/^\d+$/) });
    const [line, text] = await rowAbove(second?.message ?? "");
    expect(Number(line?.replaceAll(",", ""))).toBe(second?.line);
    expect(text).toBe(invalidFile().split("\n")[Number(second?.line) - 1]);
    expect(await note(second?.message ?? "").textContent()).toMatch(/^error/);
    expect(await isInView(second?.message ?? "")).toBe(true);
    await browser.expectAccessible();
    await browser.shoot("file");
    await browser.page.reload();
    await note(second?.message ?? "").waitFor();
    expect((await rowAbove(second?.message ?? ""))[0]).toBe(line);
  });

  test("steps from issue to issue by keyboard", async () => {
    const { id, issues } = await runFile(browser.tenant, invalidFile());
    await browser.open(`/@shop/tasks/${id}/file`);
    const ordered = issues.toSorted((a, b) => a.line - b.line);
    await seen(`Issues: ${issues.length}`);
    expect(await file().getByText("1", { exact: true }).first().textContent()).toBe("1");
    for (const i of [0, 1, 2]) {
      await browser.press("n");
      await seen(`Issue ${i + 1} of ${issues.length}`);
      expect((await rowAbove(ordered[i]?.message ?? ""))[0]).toBe(`${ordered[i]?.line}`);
    }
    await browser.press("p");
    await seen(`Issue 2 of ${issues.length}`);
    const list = browser.page.getByRole("complementary", { name: "Issues" });
    await list.locator('button[aria-current="true"]').focus();
    await browser.press("ArrowDown", "ArrowDown", "ArrowDown");
    await seen(`Issue 5 of ${issues.length}`);
    await file().focus();
    await browser.press("End");
    await file().getByText("}", { exact: true }).last().waitFor();
    await browser.press("Home");
    await file().getByText("{", { exact: true }).first().waitFor();
  });

  test("opens from a failed operation at the wrong value, with the reason", async () => {
    const missing = { intent: "product/variant/delete", sku: "missing" };
    const operations = [...Array.from({ length: 50 }, (_, i) => group(i)), missing];
    const { id, log } = await runFile(
      browser.tenant,
      JSON.stringify({ version: "1.0.0", operations }, null, 2),
    );
    await browser.open(`/@shop/tasks/${id}/operations/50`);
    await browser.page.getByRole("link", { name: /^Bytes/ }).click();
    const reason = log.at(-1)?.message ?? "";
    await note(reason).waitFor();
    expect((await rowAbove(reason))[1]).toBe('      "sku": "missing"');
    expect(await isInView(reason)).toBe(true);
    await browser.expectAccessible();
    await browser.shoot("file-operation");
    await browser.page.getByRole("link", { name: "Operation 50" }).click();
    await seen("As written");
  });

  test("finds an issue at the end of a line of ten megabytes by reading little", async () => {
    const long = Array.from({ length: 20_000 }, (_, i) => ({
      ...group(i),
      name: `Group ${"茶".repeat(150)}`,
    }));
    const text = JSON.stringify({ version: "1.0.0", operations: [...long, { intent: "nothing/known" }] });
    expect(Buffer.byteLength(text)).toBeGreaterThan(10 * mebibyte);
    const { id, issues } = await runFile(browser.tenant, text);
    const ranges = await opened(id, issues[0]?.message ?? "");
    expect(ranges.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(mebibyte);
    const [position, row] = await rowAbove(issues[0]?.message ?? "");
    expect(position).toMatch(/^↳ @1\d,\d{3},\d{3}$/);
    expect(row).toContain('"nothing/known"');
    expect(await file().textContent()).not.toContain("\ufffd");
    await browser.shoot("file-one-line");
    await browser.expectAccessible();
  });

  test("opens near the end of 50 MiB by reading less than 1 MiB, in a small heap", async () => {
    const line = (i: number) => JSON.stringify({ ...group(i), name: "Tea ".repeat(480) });
    const lines = Array.from({ length: (50 * mebibyte) / 2_000 }, (_, i) => line(i % 50_000));
    const wrong = lines.length - 1_000;
    lines[wrong] = '{"intent": "customer/group/upsert"}';
    const text = `{"version": "1.0.0", "operations": [\n${lines.join(",\n")}\n]}\n`;
    const id = await startFile(browser.tenant, text);
    const { issues } = await finished(browser.tenant, id);
    const message = issues[0]?.message ?? "";
    expect(issues[0]?.line).toBe(wrong + 2);
    const ranges = await opened(id, message);
    expect((await rowAbove(message))[0]).toBe((wrong + 2).toLocaleString("en"));
    // Then page by page: known lines are kept, and parts out of view are dropped.
    await file().focus();
    for (let i = 0; i < 60; i++) await browser.press("PageDown");
    await browser.page.waitForFunction((from) => {
      const gutters = [...document.querySelectorAll("section[aria-label=File] code")].map(
        (code) => code.previousElementSibling?.textContent?.replaceAll(",", "") ?? "",
      );
      return gutters.some((text) => Number(text) > from);
    }, wrong + 50);
    const heap = await browser.page.evaluate("gc(), performance.memory.usedJSHeapSize");
    console.log(`50 MiB: ${ranges.length} ranges, heap ${Math.round(Number(heap) / 1e6)} MB`);
    expect(ranges.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(mebibyte);
    // 30 MB without the visible part of a file.
    expect(Number(heap)).toBeLessThan(55_000_000);
  });
});
