import { Session } from "node:inspector/promises";
import { expect, it } from "vitest";
import { problemLimit } from "../../src/schema-walk/problems-in.ts";
import { check, fileOf, issuesOf } from "./support/files.ts";

const repeated = (text: string, times: number) =>
  `{"intent": "customer/upsert", "identifier": "a", "meta": [${Array<string>(times)
    .fill(`{"key": "k", "value": "${text}"}`)
    .join(",")}]}`;

/** Counts the templates parsed meanwhile, as the engine counts calls. */
async function parsesIn(action: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await action();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result
      .flatMap(({ functions }) => functions)
      .filter(({ functionName }) => functionName === "parseTemplate")
      .reduce((count, { ranges }) => count + (ranges[0]?.count ?? 0), 0);
  } finally {
    session.disconnect();
  }
}

it("an operation of 300,000 wrong references has no more warnings than the limit per operation", async () => {
  const { warningCount, issues } = await check(fileOf(repeated("{{a}}".repeat(10_000), 30)));
  expect(warningCount).toBe(problemLimit);
  expect(issues[0]).toMatchObject({ code: "UndefinedReference", pointer: "/operations/0/meta/0/value" });
});

it("references are read beyond the last warning found", async () => {
  const named = '{"intent": "customer/upsert", "identifier": "a", "_ref": "late"}';
  const reader = repeated(`${"{{a}}".repeat(2_000)}{{late.identifier}}`, 1);
  const { lifetimes, names } = await check(fileOf(named, reader));
  expect(lifetimes).toEqual([{ index: 0, lastReader: 1 }]);
  expect(names).toEqual([{ name: "late", index: 0 }]);
});

it.each([
  ["is long", `{{#if a}}${"{{defaults.taskId}}".repeat(500)}{{/if}}`],
  ["does not parse", `${"{{defaults.taskId}}".repeat(500)}{{/if}}`],
])("a template that %s is parsed once in an operation that repeats it", async (_, template) => {
  expect(await parsesIn(() => check(fileOf(repeated(template, 200))))).toBe(1);
});

it("an operation of 300,000 characters that cannot be stored has no more errors than the limit per operation", async () => {
  const { errorCount, warningCount } = await check(fileOf(repeated("\\u0000".repeat(10_000), 30)));
  expect([errorCount, warningCount]).toEqual([problemLimit, 0]);
});

it("an operation of 3,000 placeholders has no more warnings than the limit per operation", async () => {
  const { warningCount } = await check(fileOf(repeated("<value>", 3_000)));
  expect(warningCount).toBe(problemLimit);
});

it("an error is found after a thousand warnings", async () => {
  const numbers = `[${Array<string>(2 * problemLimit)
    .fill("12345678901234567890")
    .join(",")}]`;
  const { errorCount } = await check(fileOf(`{"numbers": ${numbers}, "text": "\\u0000"}`));
  expect(errorCount).toBeGreaterThanOrEqual(2);
});

it("a member nested ten thousand deep may be repeated", async () => {
  const deep = "[".repeat(10_000) + "]".repeat(10_000);
  const issues = await issuesOf(`{"version": "1.0.0", "x": ${deep},\n"x": ${deep}, "operations": []}`);
  expect(issues).toEqual([
    "error NestedTooDeep /x 1:90",
    "error NestedTooDeep /x 2:69",
    "warning DuplicateKey /x 2:6",
  ]);
});
