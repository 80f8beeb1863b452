import { expect, test, vi } from "vitest";
import { Budget } from "../../src/templates/budget.ts";
import { renderPayload } from "../../src/templates/render-payload.ts";
import { peekText, renderText } from "../../src/templates/render-text.ts";
import { TemplateError } from "../../src/templates/scope.ts";
import { productId, scopeOf } from "./support/scope.ts";

const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value));

test("a template whose helper rejects fails at the helper's position", async () => {
  const upload = () => Promise.reject(new TemplateError("No such host."));
  const rendering = renderPayload(
    { images: [{ key: "{{ upload 'x' }}" }] },
    scopeOf({ helpers: { upload } }),
  );
  await expect(rendering).rejects.toMatchObject({
    code: "TemplateError",
    message: "No such host.",
    path: ["images", 0, "key"],
  });
});

test("an error of a helper that is not a template error is thrown on unchanged", async () => {
  const defect = new RangeError("a defect");
  const fetch = () => {
    throw defect;
  };
  expect(() => renderText("{{ fetch 1 }}", scopeOf({ helpers: { fetch } }))).toThrow(defect);
  const fetchLater = () => Promise.reject(defect);
  await expect(renderText("{{ fetch 1 }}", scopeOf({ helpers: { fetch: fetchLater } }))).rejects.toBe(defect);
});

test("a rejection after the template was given up is not reported", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 3_000));
  const fetch = () => later(undefined).then(() => Promise.reject(new TemplateError("Not found.")));
  const helpers = { fetch, quick: () => "" };
  const payload = { a: "{{ quick 1 }}".repeat(50), b: `${"{{ quick 1 }}".repeat(50)}{{ fetch 1 }}` };
  const unhandled = vi.fn();
  process.once("unhandledRejection", unhandled);
  expect(() => renderPayload(payload, scopeOf({ helpers }))).toThrow("may be evaluated for");
  clock.mockRestore();
  for (let turns = 0; turns < 3; turns++) await later(undefined);
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test("a condition does not hide what a helper reports", async () => {
  const fetch = () => later(undefined).then(() => Promise.reject(new TemplateError("Not found.")));
  const rendering = renderText("{{#if (fetch 1)}}y{{else}}n{{/if}}", scopeOf({ helpers: { fetch } }));
  await expect(rendering).rejects.toThrow("Not found.");
});

test("the limit of steps counts one pass, however many answers are awaited", async () => {
  const results = { big: { index: 0, status: "success" as const, output: Array(600).fill("x") } };
  const echo = vi.fn((args: unknown[]) => later(args[0]));
  const text = await renderText(
    "{{#each big}}{{ echo this }}{{/each}}",
    scopeOf({ results, helpers: { echo } }),
  );
  expect(text).toBe("x".repeat(600));
  expect(echo).toHaveBeenCalledTimes(600);
});

test("each call is made once, in order, also where answers come late", async () => {
  const calls: unknown[] = [];
  const slow = ([given]: unknown[]) => {
    calls.push(given);
    return later(`<${given}>`);
  };
  const quick = ([given]: unknown[]) => {
    calls.push(given);
    return `[${given}]`;
  };
  const text = await renderText(
    "{{ quick 1 }}{{ slow (slow 2) }}{{#if (slow 3)}}{{ quick 4 }}{{/if}}",
    scopeOf({ helpers: { slow, quick } }),
  );
  expect(text).toBe("[1]<<2>>[4]");
  expect(calls).toEqual([1, 2, "<2>", 3, 4]);
});

test("an answer of undefined is not asked for again", async () => {
  const nothing = vi.fn(() => later(undefined));
  const text = await renderText("{{#if (nothing)}}y{{else}}n{{/if}}", scopeOf({ helpers: { nothing } }));
  expect(text).toBe("n");
  expect(nothing).toHaveBeenCalledTimes(1);
});

test("the templates of a payload are rendered serially", async () => {
  let running = 0;
  const upload = async ([name]: unknown[]) => {
    expect(++running).toBe(1);
    await later(undefined);
    running--;
    return `key-of-${name}`;
  };
  const payload = {
    a: "{{ upload 'a' }}",
    b: ["{{ upload 'b' }}", "{{ product.id }}"],
    c: "{{ upload 'c' }}",
  };
  const { payload: value, texts } = await renderPayload(payload, scopeOf({ helpers: { upload } }));
  expect(value).toEqual({ a: "key-of-a", b: ["key-of-b", productId], c: "key-of-c" });
  expect(Object.keys(texts ?? {})).toEqual(["/a", "/b/0", "/b/1", "/c"]);
});

test("a template without asynchronous helpers renders synchronously", () => {
  const upload = () => "key";
  expect(renderText("{{ upload 'x' }}{{ product.id }}", scopeOf({ helpers: { upload } }))).toBe(
    `key${productId}`,
  );
  expect(renderPayload({ a: "{{ product.id }}" }, scopeOf())).not.toBeInstanceOf(Promise);
});

test("a peek returns known values, also from a synchronous helper", () => {
  const scope = scopeOf({ helpers: { idOf: () => "id", upload: async () => "key" } });
  expect(peekText("{{ product.id }}", scope, new Budget())).toBe(productId);
  expect(peekText("{{ idOf 'x' }}", scope, new Budget())).toBe("id");
  for (const unknown of [
    "{{ unknown.id }}",
    "{{ broken.id }}",
    "{{ upload 'x' }}",
    "{{ fetch 'x' }}",
    "{{ not",
  ])
    expect(peekText(unknown, scope, new Budget())).toBeUndefined();
});

test("a peek gives up on a long template, and when its budget is exceeded", () => {
  const scope = scopeOf();
  expect(peekText(`{{! ${"x".repeat(300)} }}{{ product.id }}`, scope, new Budget())).toBeUndefined();
  const little = new Budget(100);
  const peeked = Array.from({ length: 10 }, (_, i) => peekText(`${i}{{ product.id }}`, scope, little));
  expect(peeked[0]).toBe(`0${productId}`);
  expect(peeked.at(-1)).toBeUndefined();
});
