import { describe, expect, test } from "vitest";
import { NoAnswer, renderPayload, renderText } from "../../src/templates/index.ts";
import type { Helper, RenderScope } from "../../src/templates/scope.ts";

const scope = (ask: Helper): RenderScope => ({
  lookup: () => undefined,
  names: () => [],
  defaults: { taskId: "task" },
  helpers: { ask },
});

describe.each([
  [
    "at once",
    () => () => {
      throw new NoAnswer("why");
    },
  ],
  [
    "late",
    () => async () => {
      throw new NoAnswer("why");
    },
  ],
] as [string, () => Helper][])("a helper that has no answer, and says so %s", (_, helper) => {
  test("leaves its text out, and the others are rendered", async () => {
    const payload = {
      a: "{{ ask 1 }}",
      list: ["x", "{{ask}}{{ask 2}}"],
      b: "{{ defaults.taskId }}",
      c: "plain",
    };
    const rendered = await renderPayload(payload, scope(helper()));
    expect(rendered.unanswered).toEqual([
      { path: ["a"], reason: "why" },
      { path: ["list", 1], reason: "why" },
    ]);
    expect(rendered.value).toEqual({ a: undefined, list: ["x", undefined], b: "task", c: "plain" });
  });

  test("is no condition that is false: the text is left out too", async () => {
    const { unanswered } = await renderPayload({ a: "{{#if (ask)}}yes{{else}}no{{/if}}" }, scope(helper()));
    expect(unanswered).toHaveLength(1);
  });

  test("ends the rendering of a single text", async () => {
    await expect((async () => renderText("{{ask}}", scope(helper())))()).rejects.toBeInstanceOf(NoAnswer);
  });
});

test("a payload whose helpers all answer has nothing that is left out", async () => {
  const rendered = await renderPayload(
    { a: "{{ ask }}" },
    scope(() => "answer"),
  );
  expect(rendered).toEqual({ value: { a: "answer" }, templated: ["/a"] });
});
