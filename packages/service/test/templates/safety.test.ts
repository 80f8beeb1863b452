import { renderLimits, templateLimits } from "@lading/schema/internal";
import { expect, test, vi } from "vitest";
import { renderPayload } from "../../src/templates/render-payload.ts";
import { renderText } from "../../src/templates/render-text.ts";
import { TemplateError } from "../../src/templates/scope.ts";
import { errorOf, render, scopeOf } from "./support/scope.ts";

class Leaky {
  text = "visible";
  method() {
    return "leaked";
  }
  get computed() {
    return "leaked";
  }
}

const helpers = {
  leaky: () => new Leaky(),
  code: () => ({ run: () => "leaked", text: "visible" }),
  list: () => ["a"],
};

/** Known escapes from template engines, and a few more. None may find anything. */
const escapes = [
  "{{ constructor }}",
  "{{ constructor.constructor }}",
  "{{ __proto__ }}",
  "{{ toString }}",
  "{{ this.constructor }}",
  "{{ ./constructor }}",
  "{{ [constructor] }}",
  '{{ "constructor" }}',
  "{{ @root.constructor }}",
  "{{ @constructor }}",
  "{{ @__proto__ }}",
  "{{ @root.__proto__.constructor }}",
  "{{ product.constructor }}",
  "{{ product.constructor.name }}",
  "{{ product.__proto__ }}",
  "{{ product.[__proto__].constructor }}",
  "{{ product.toString }}",
  "{{ product.hasOwnProperty }}",
  "{{ product.__defineGetter__ }}",
  "{{ product.__lookupGetter__ }}",
  "{{ product.id.constructor }}",
  "{{ product.id.length }}",
  "{{ product.id.[0] }}",
  "{{ product.id.__proto__.constructor }}",
  "{{ shop.tags.constructor }}",
  "{{ shop.tags.map }}",
  "{{ shop.tags.push }}",
  "{{ shop.seats.toFixed }}",
  "{{ defaults.constructor }}",
  "{{ defaults.__proto__ }}",
  "{{ lookup product 'constructor' }}",
  "{{ lookup product '__proto__' }}",
  "{{ lookup (lookup product '__proto__') 'constructor' }}",
  "{{ lookup product.id 'constructor' }}",
  "{{ lookup product.id 0 }}",
  "{{ lookup shop.tags 'constructor' }}",
  "{{ lookup shop.tags product }}",
  "{{ lookup this 'constructor' }}",
  "{{ lookup @root 'constructor' }}",
  "{{ (lookup product 'constructor').constructor }}",
  "{{#with product.constructor}}{{name}}{{/with}}",
  "{{#with product as |p|}}{{p.constructor.name}}{{/with}}",
  "{{#with product}}{{constructor.name}}{{/with}}",
  "{{#with product}}{{../constructor.name}}{{/with}}",
  "{{#each product.__proto__}}{{@key}}{{/each}}",
  "{{#each shop.tags}}{{constructor.name}}{{/each}}",
  "{{#each shop.tags}}{{@constructor}}{{/each}}",
  "{{ process.env }}",
  "{{ globalThis.process }}",
  "{{ global }}",
  "{{ require 'fs' }}",
  "{{ constructor 'return process' }}",
  "{{ toString 'x' }}",
  "{{ (toString) }}",
  "{{ __proto__ 'x' }}",
  "{{ hasOwnProperty 'x' }}",
  "{{ helperMissing 'x' }}",
  "{{ blockHelperMissing 'x' }}",
  "{{#constructor}}x{{/constructor}}",
  "{{#toString 'x'}}x{{/toString}}",
  "{{#__proto__ 'x'}}x{{/__proto__}}",
  "{{ (leaky).method }}",
  "{{ (leaky).computed }}",
  "{{ (leaky).constructor }}",
  "{{ (leaky).method.constructor }}",
  "{{ (code).run }}",
  "{{ (code).run.constructor }}",
  "{{ lookup (code) 'run' }}",
  "{{ (list).constructor }}",
  "{{ valueOf product 'constructor' }}",
  "{{ valueOf product '__proto__' }}",
  "{{ valueOf product 'id.constructor' }}",
  "{{ valueOf product 'id.length' }}",
  "{{ valueOf product '__proto__.constructor' }}",
  "{{ valueOf product '[__proto__].[constructor]' }}",
  "{{ valueOf product 'toString' }}",
  "{{ valueOf shop 'tags.constructor' }}",
  "{{ valueOf shop 'tags.map' }}",
  "{{ valueOf shop.tags 'length.constructor' }}",
  "{{ valueOf shop.seats 'toFixed' }}",
  "{{ valueOf this 'constructor' }}",
  "{{ valueOf @root 'constructor' }}",
  "{{ valueOf defaults '__proto__' }}",
  "{{ valueOf (leaky) 'method' }}",
  "{{ valueOf (leaky) 'computed' }}",
  "{{ valueOf (leaky) 'constructor.constructor' }}",
  "{{ valueOf (code) 'run' }}",
  "{{ valueOf (code) 'run.constructor' }}",
  "{{ valueOf (list) 'constructor' }}",
  "{{ (valueOf product 'constructor').constructor }}",
  "{{ valueOf product valueOf }}",
  "{{ valueOf valueOf 'constructor' }}",
];

test.each(escapes)("the template %s reaches nothing", (template) => {
  const error = errorOf(template, { helpers });
  expect(error.message).not.toContain("leaked");
  expect(error.message).not.toContain("native code");
});

test("templates can see own properties of what a helper returns", () => {
  expect(render("{{ (leaky).text }} {{ (code).text }}", { helpers })).toBe("visible visible");
});

test("a function does not exist for conditions and helpers", () => {
  expect(render("{{#if (code).run}}y{{else}}n{{/if}}", { helpers })).toBe("n");
  const note = (args: unknown[]) => String(args.length);
  expect(errorOf("{{ note (code).run }}", { helpers: { ...helpers, note } }).message).toContain("run");
});

test("the hash of a helper cannot change a prototype", () => {
  const seen: unknown[] = [];
  render("{{ note __proto__=product }}", { helpers: { note: (_args, hash) => String(seen.push(hash)) } });
  expect(Object.getPrototypeOf(seen[0])).toBe(Object.prototype);
});

test("an output that grows without bounds is stopped", () => {
  const results = {
    big: {
      index: 0,
      status: "success" as const,
      output: { text: "x".repeat(100_000), list: Array(50).fill(1) },
    },
  };
  const { message } = errorOf("{{#each big.list}}{{@root.big.text}}{{/each}}", { results });
  expect(message).toContain(`may render to ${renderLimits.output} characters`);
});

test("loops within loops are stopped", () => {
  const results = { big: { index: 0, status: "success" as const, output: Array(400).fill("") } };
  const { message } = errorOf("{{#each big}}{{#each @root.big}}{{/each}}{{/each}}", { results });
  expect(message).toContain(`more than ${renderLimits.steps} steps`);
});

test("calls without end are stopped", () => {
  const results = { big: { index: 0, status: "success" as const, output: Array(2000).fill("") } };
  const { message } = errorOf("{{#each big}}{{leaky}}{{/each}}", { results, helpers: { leaky: () => "" } });
  expect(message).toContain(`more than ${renderLimits.calls} helpers`);
});

const many = (template: string, length = 6_000) => ({ meta: Array<string>(length).fill(template) });
const loops = `{{#each defaults}}${"{{#each @root.defaults}}".repeat(5)}${"{{/each}}".repeat(6)}`;
const six = { defaults: Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, name])) };

test("templates that are each within bounds are stopped together, even without a late answer", async () => {
  const { path, message } = await failureOf(many(loops), six);
  expect(message).toMatch(
    new RegExp(
      `take more than ${renderLimits.allSteps} steps|evaluated for ${renderLimits.time} milliseconds`,
    ),
  );
  expect(path[1]).toBeGreaterThan(10);
  expect(path[1]).toBeLessThan(200);
});

test("other work gets the thread during a long evaluation of templates", async () => {
  let turns = 0;
  const count = setInterval(() => turns++, 1);
  await renderPayload(many(loops, 30), scopeOf(six));
  clearInterval(count);
  expect(turns).toBeGreaterThan(5);
});

test("many short templates are measured and stopped, too", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
  const rendering = failureOf(many("{{ product.id }}"));
  expect((await rendering).message).toContain(`may be evaluated for ${renderLimits.time} milliseconds`);
  clock.mockRestore();
});

test("helpers that compute synchronously are stopped, and other work gets the thread in between", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
  let pauses = 0;
  const helpers = { late: () => Promise.resolve("x") };
  const pause = async () => void pauses++;
  const rendering = renderPayload(many("{{ late }}"), { ...scopeOf({ helpers }), pause });
  await expect(rendering).rejects.toThrow(/may (compute|be evaluated) for [\d]+ milliseconds/);
  clock.mockRestore();
  expect(pauses).toBeGreaterThan(10);
});

test("templates that are too long to be parsed are refused before any is rendered", async () => {
  const upload = vi.fn(() => "key");
  const payload = { a: "{{ upload 'x' }}", meta: distinct(3_000) };
  const { message, path } = await failureOf(payload, { helpers: { upload } });
  expect(message).toContain(`more than ${templateLimits.together} characters between braces`);
  expect(path[0]).toBe("meta");
  expect(upload).not.toHaveBeenCalled();
  // Only the bound of parsing counts here, however busy the machine is.
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  await renderPayload({ meta: distinct(1_000) }, scopeOf());
  clock.mockRestore();
});

const distinct = (length: number) =>
  Array.from({ length }, (_, i) => `{{#if product.a${i}}}${"{{ product.id }}".repeat(8)}{{/if}}`);

async function failureOf(payload: object, parts?: Parameters<typeof scopeOf>[0]): Promise<TemplateError> {
  try {
    await renderPayload(payload, scopeOf(parts));
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error("it was rendered");
}

test.each([
  ["a text that is a long path", "{{#each r.list}}{{#if (valueOf @root.r @root.r.path)}}{{/if}}{{/each}}"],
  ["a long list that is searched", "{{#each r.list}}{{#if (valueOf @root.r.list 'x')}}{{/if}}{{/each}}"],
  ["a long list that is gone over", "{{#if (valueOf r 'x')}}{{/if}}{{#each r.huge}}{{/each}}"],
  ["arguments", `{{#each r.list}}{{ call ${"1 ".repeat(1_000)} }}{{/each}}`],
  ["names", `{{#each r.list}}{{#if @root.r.${"a.".repeat(1_000)}a}}{{/if}}{{/each}}`],
])("evaluating %s costs steps, which are limited per template", (_name, template) => {
  const output = { list: Array(900).fill({}), huge: Array(200_000).fill(0), path: `${"a.".repeat(500)}a` };
  const results = { r: { index: 0, status: "success" as const, output } };
  const { message } = errorOf(template, { results, helpers: { call: () => "" } });
  expect(message).toContain(`more than ${renderLimits.steps} steps`);
});

test("a template that is evaluated again for one late answer after the other is stopped", async () => {
  const results = { big: { index: 0, status: "success" as const, output: Array(900).fill("x") } };
  let now = 0;
  // Each look at the clock finds it 10 milliseconds later.
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
  const late = () => Promise.resolve("");
  const rendering = renderText("{{#each big}}{{late}}{{/each}}", scopeOf({ results, helpers: { late } }));
  await expect(rendering).rejects.toThrow(`may be evaluated for ${renderLimits.time} milliseconds`);
  clock.mockRestore();
});

test.each([
  ["blocks", "{{#if a}}".repeat(20_000) + "{{/if}}".repeat(20_000)],
  ["sub-expressions", `{{a ${"(b ".repeat(20_000)}${")".repeat(20_000)}}}`],
  ["else branches", `{{#if a}}${"{{else if a}}".repeat(20_000)}{{/if}}`],
])("a template of ten thousand nested %s is refused immediately", (_name, template) => {
  const before = process.cpuUsage();
  expect(errorOf(template)).toBeInstanceOf(TemplateError);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1);
});

test("a chain of unknown blocks as long as a template may be is refused at its first block", () => {
  const { message } = errorOf(`{{#if a}}${"{{else x}}".repeat(1_600)}{{/if}}`);
  expect(message).toContain('There is no block "x"');
});

test("a list names no property, and is not written out to look for one", () => {
  const list = Object.assign(Array(3).fill("a"), { toString: vi.fn(() => "a") });
  const results = { r: { index: 0, status: "success" as const, output: { a: "found", list } } };
  const { message } = errorOf("{{ lookup r r.list }}", { results });
  expect(message).toContain("a list of 3");
  expect(render("{{#if (lookup r r.list)}}y{{else}}n{{/if}}", { results })).toBe("n");
  expect(list.toString).not.toHaveBeenCalled();
});

test("the deepest template that is allowed is rendered", () => {
  const template = `${"{{#if product.id}}".repeat(64)}x${"{{/if}}".repeat(64)}`;
  expect(render(template)).toBe("x");
});

test("a scope without prototypes renders", () => {
  const scope = scopeOf({ defaults: Object.assign(Object.create(null), { taskId: "t" }) });
  expect(render("{{ defaults.taskId }}", { defaults: scope.defaults })).toBe("t");
});
