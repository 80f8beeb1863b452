import { Session } from "node:inspector/promises";
import { expect, it } from "vitest";
import { problemLimit } from "../../src/schema-walk/problems-in.ts";
import { check, fileOf, issuesOf } from "./support/files.ts";

const repeated = (text: string, times: number) =>
  `{"intent": "customer/upsert", "identifier": "a", "meta": [${Array<string>(times)
    .fill(`{"key": "k", "value": "${text}"}`)
    .join(",")}]}`;

/** Counts what the engine calls meanwhile: the parser of templates, and all functions of the package. */
async function callsIn(action: () => Promise<unknown>): Promise<{ parses: number; all: number }> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await action();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const functions = result
      .filter(({ url }) => url.includes("/packages/schema/src/"))
      .flatMap((script) => script.functions);
    const sum = (of: typeof functions) =>
      of.reduce((count, { ranges }) => count + (ranges[0]?.count ?? 0), 0);
    const parsers = functions.filter(({ functionName }) => functionName === "parseTemplate");
    return { parses: sum(parsers), all: sum(functions) };
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
])(
  "a template that %s is parsed once in an operation that repeats it, which costs little more",
  async (_, template) => {
    const calls = (text: string, times: number) => callsIn(() => check(fileOf(repeated(text, times))));
    const once = await calls(`${template} `, 1); // another text, since a template is remembered
    const repeatedly = await calls(template, 200);
    expect([once.parses, repeatedly.parses]).toEqual([1, 1]);
    expect(repeatedly.all).toBeLessThan(15 * once.all);
  },
);

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
