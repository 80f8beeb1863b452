import { Causes } from "@lading/schema/internal";
import { assert, property, string } from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import { plain } from "../../src/context.ts";
import type { ChangedOperation } from "../../src/plan/changed-operations.ts";
import { code, issuesMarkdown, planMarkdown } from "../../src/plan/markdown.ts";
import type { Task } from "../../src/task/task.ts";

const htmlOf = (markdown: string) =>
  micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });

/** Text that a browser shows for HTML without tags. */
const textOf = (html: string) =>
  html
    .replaceAll(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

const hostile = [
  "a|b `c` ``d`` \\| \\\\| <b>",
  "</details></td> @octocat #1 ![x](https://tracker.example/x.png) [l](javascript:alert)",
  "`| x |` \n\n# heading\n<!-- comment",
];

describe("code", () => {
  test("any text in a cell is shown as it is, without markup", () => {
    const isShown = (text: string) => {
      const html = htmlOf(`| a | b |\n| --- | --- |\n| ${code(text)} | end |`);
      const cells = [...html.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell]) => cell ?? "");
      expect(cells).toHaveLength(2);
      expect(cells[0]).toMatch(/^<code>[^<]*<\/code>$/);
      expect(textOf(cells[0]?.slice(6, -7) ?? "").trim()).toBe(plain(text));
      expect(cells[1]).toBe("end");
    };
    for (const text of hostile) isShown(text);
    const unit = string({ unit: "grapheme-ascii", maxLength: 1 }).map((text) => text || "|");
    assert(property(string({ maxLength: 250 }), isShown));
    assert(property(string({ unit, maxLength: 40 }), isShown));
  });
});

const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, published: 0, unpublished: 0 };
const progress = {
  ...counts,
  ...{ total: 3, processed: 3, succeeded: 3, partial: 0, failed: 0, skipped: 0, toExecute: null },
  ...{ repaired: 0, waitingFor: null },
};
const task: Task = {
  ...{ id: "01a0", kind: "plan", ofTask: null, status: "complete", info: null, progress, destructive: null },
  ...{ errorCount: 0, warningCount: 0, createdAt: "", startedAt: null, endedAt: null, heldAt: null },
  prunedAt: null,
  startAt: null,
  onFailure: null,
  undoneBy: null,
};

const operation = (index: number, text: string): ChangedOperation => ({
  ...{ index, intent: "product/update", ref: text, action: "updated", unknownUntilApplied: [] },
  changes: {
    ...{ more: 0, isComplete: true },
    entities: [
      {
        ...{ entity: "product", key: { id: text }, action: "updated" },
        values: [{ pointer: `/${text}`, before: text, after: [text] }],
      },
    ],
  },
});

async function* all(operations: readonly ChangedOperation[]) {
  yield* operations;
}

function planOf(operations: readonly ChangedOperation[], more: Partial<Task> = {}, problems: object[] = []) {
  const causes = new Causes<"failure" | "partial", number>("failure", "partial");
  for (const [i, text] of hostile.entries()) causes.count("failure", text)?.(i);
  const seen = {
    task: { ...task, ...more },
    causes,
    problems,
    unknown: 0,
    tally: new Map(),
    isOutdated: false,
  };
  return planMarkdown({
    ...{ refused: { deletions: 2 }, subject: hostile[0]!, tenant: "acme", changed: operations.length },
    ...{ seen: seen as never, changes: all(operations), next: undefined, more: "lading logs 01a0 --json" },
  });
}

describe("a plan as markdown", () => {
  test("stored text closes no part of it, mentions nobody, and loads nothing", async () => {
    const destructive = {
      deleted: { "product/delete": 2 },
      removed: {},
      orphaned: { [hostile[1]!]: 1 },
      orphanedMore: false,
    };
    const markdown = await planOf(
      hostile.map((text, i) => operation(i, text)),
      { destructive },
    );
    const html = htmlOf(markdown);
    expect(html.match(/<details>/g)).toHaveLength(3);
    expect(html.match(/<\/details>/g)).toHaveLength(3);
    expect(html).not.toMatch(/<img|<a |<b>|<h1>|<!--/);
    const outsideOfCode = html.replaceAll(/<code>[^<]*<\/code>/g, "");
    expect(outsideOfCode).not.toMatch(/octocat|tracker|javascript/);
    expect(markdown).toMatch(/Refused: the plan has deletions \(2\).*This would remove.*Failures.*Changes/s);
    expect(markdown).not.toContain("To run it");
  });

  test("one that is too long ends with a whole operation, and says how many are left out", async () => {
    const many = Array.from({ length: 2_000 }, (_, i) => operation(i, `${"long ".repeat(20)}${i}`));
    let read = 0;
    async function* counting() {
      for (const each of many) {
        read++;
        yield each;
      }
    }
    const causes = new Causes<"failure" | "partial", number>("failure", "partial");
    const seen = { task, causes, problems: [], unknown: 0, tally: new Map(), isOutdated: false };
    const markdown = await planMarkdown({
      ...{ refused: undefined, subject: "a.json", tenant: "acme", changed: many.length, seen },
      ...{
        changes: counting(),
        next: { lead: "To run it", command: "lading run acme a.json" },
        more: "lading logs 01a0 --json",
      },
    });
    expect(markdown.length).toBeLessThanOrEqual(60_000);
    expect(markdown.length).toBeGreaterThan(50_000);
    const shown = markdown.match(/<\/details>/g)?.length ?? 0;
    expect(read).toBe(shown + 1);
    expect(markdown).toContain(
      `${(2_000 - shown).toLocaleString("en-US")} changed operations of 2,000 left out. For more: \`lading logs`,
    );
    expect(markdown.trim().split("\n").at(-1)).toBe("To run it: `lading run acme a.json`");
  });

  test("many causes of failures leave room for the changes", async () => {
    const causes = new Causes<"failure" | "partial", number>("failure", "partial");
    const word = (i: number) => [...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("");
    for (let i = 0; i < 300; i++) causes.count("failure", `${word(i)} ${"|".repeat(190)}`)?.(i);
    const problems = Array.from({ length: 300 }, (_, index) => ({
      index,
      place: `${"p".repeat(290)}:${index}`,
    }));
    const seen = { task, causes, problems, unknown: 0, tally: new Map(), isOutdated: false };
    const markdown = await planMarkdown({
      ...{ refused: undefined, subject: "a.json", tenant: "acme", changed: 1, seen: seen as never },
      ...{
        changes: all([operation(0, "x")]),
        next: { lead: "To run it", command: "lading run acme a.json" },
        more: "lading logs 01a0 --json",
      },
    });
    expect(markdown.length).toBeLessThan(25_000);
    expect(markdown).toMatch(/### Failures.*more rows left out\..*### Changes/s);
  });

  test("an operation with many values is cut, and counts what is not shown", async () => {
    const large = operation(0, "x");
    const [entity] = large.changes!.entities;
    entity!.values = Array.from({ length: 500 }, (_, i) => ({ pointer: `/${i}`, before: i, after: i + 1 }));
    expect(await planOf([large])).toContain("451 more lines");
  });
});

test("the issues of a file say line, operation and field, and how many are left out", () => {
  const issue = (i: number) => ({
    ...{
      severity: "error",
      code: "x",
      message: `${hostile[0]} ${"y".repeat(200)}`,
      pointer: `/operations/${i}/name`,
    },
    ...{ operationIndex: i, intent: "product/create", ref: null, line: i, column: 3, offset: 0 },
  });
  const report = {
    issues: Array.from({ length: 1_000 }, (_, i) => issue(i)),
    errorCount: 4_000,
    warningCount: 1,
  };
  const markdown = issuesMarkdown(report as never, "shop.json", "acme");
  expect(markdown.length).toBeLessThanOrEqual(60_000);
  const rows = htmlOf(markdown).match(/<tr>/g)!.length - 1;
  expect(rows).toBeGreaterThan(100);
  expect(markdown).toContain("| 1:3 | operation 1, `product/create` | `/operations/1/name` | error |");
  expect(markdown).toContain(`${(1_000 - rows).toLocaleString("en-US")} more rows left out.`);
  expect(markdown).toContain("3,001 issues more were found.");
});
