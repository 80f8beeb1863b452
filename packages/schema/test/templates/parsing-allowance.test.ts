import { expect, test } from "vitest";
import { checkOperationFile, templateLimits } from "../../src/internal.ts";
import { parsingAllowance, tooMuchToParse } from "../../src/templates/parse/parsing-allowance.ts";
import { maxCharacterCost, parsingCost } from "../../src/templates/parse/template-extent.ts";

const distinct = (length: number) =>
  Array.from({ length }, (_, i) => `{{#if a.b${i}}}${"x{{ a.c }}".repeat(9)}{{/if}}`);

const customer = (meta: string[]) => ({
  intent: "customer/upsert",
  identifier: "c",
  meta: meta.map((value, i) => ({ key: `k${i}`, value })),
});

async function issuesOf(...operations: object[]) {
  const text = JSON.stringify({ version: "1.0.0", operations });
  return (await checkOperationFile([Buffer.from(text)] as never)).issues;
}

test("an operation with too many templates gets one error, and the next operation is checked as usual", async () => {
  const issues = await issuesOf(
    { ...customer([]), _ref: "a" },
    customer(distinct(4_000)),
    customer(["{{ nobody.id }}"]),
  );
  const refused = issues.filter(({ message }) => message.includes(tooMuchToParse));
  expect(refused).toMatchObject([{ severity: "warning", code: "InvalidTemplate", operationIndex: 1 }]);
  expect(issues.at(-1)).toMatchObject({ code: "UndefinedReference", operationIndex: 2 });
});

test("identical templates count once, and plain references not at all", () => {
  const [template] = distinct(1) as [string];
  const parsed = parsingAllowance(Number.POSITIVE_INFINITY);
  for (let i = 0; i < 10_000; i++) expect(parsed(template) && parsed(`{{ product${i}.id }}`)).toBe(true);
});

test("a template refused by the allowance stays refused, even if it was parsed before", () => {
  const templates = distinct(4_000);
  const parsed = parsingAllowance(Number.POSITIVE_INFINITY);
  const answers = templates.map(parsed);
  expect(answers[0]).toBe(true);
  expect(answers.at(-1)).toBe(false);
  expect(parsed(templates[0] as string)).toBe(false);
});

test.each([
  ["branches", `{{#if a}}${"{{else if a}}".repeat(1_100)}{{/if}}`],
  ["blocks", ("{{#a}}".repeat(64) + "{{/a}}".repeat(64)).repeat(38)],
  ["names", "{{a}}".repeat(9_999)],
  ["text", `${"x".repeat(262_000)}{{a}}`],
])("the longest template of %s is parsed at no more than its known cost per character", (_name, template) => {
  expect(parsingCost(template)).toBeGreaterThan(40_000);
  expect(parsingCost(template)).toBeLessThan(
    Math.min(templateLimits.together, template.length * maxCharacterCost),
  );
});

test("many findings in a template of many lines are located in no time", async () => {
  const before = process.cpuUsage();
  const template = "\n".repeat(100) + "{{a.b}}\n\n\n\n".repeat(2_400) + "\n".repeat(200_000);
  expect((await issuesOf(customer([template]))).length).toBe(1_000);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
});
