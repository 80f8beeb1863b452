import type { Helper } from "@lading/schema/internal";
import { describe, expect, test } from "vitest";
import { renderPayload } from "../../src/templates/render-payload.ts";
import { renderText } from "../../src/templates/render-text.ts";
import { type RenderScope, ValueUnavailable } from "../../src/templates/scope.ts";

const scope = (ask: Helper): RenderScope => ({
  lookup: () => undefined,
  names: () => [],
  defaults: { taskId: "task" },
  helpers: { ask },
});

describe.each<[string, () => Helper]>([
  [
    "immediately",
    () => () => {
      throw new ValueUnavailable("why");
    },
  ],
  [
    "late",
    () => async () => {
      throw new ValueUnavailable("why");
    },
  ],
])("a helper that has no value, and says so %s", (_, helper) => {
  test("a helper without a value leaves its text out, and the others are rendered", async () => {
    const payload = {
      a: "{{ ask 1 }}",
      list: ["x", "{{ask}}{{ask 2}}"],
      b: "{{ defaults.taskId }}",
      c: "plain",
    };
    const rendered = await renderPayload(payload, scope(helper()));
    expect(rendered.unavailable).toEqual([
      { path: ["a"], reason: "why" },
      { path: ["list", 1], reason: "why" },
    ]);
    expect(rendered.payload).toEqual({ a: undefined, list: ["x", undefined], b: "task", c: "plain" });
  });

  test("a helper without a value does not count as a false condition: its text is left out too", async () => {
    const { unavailable } = await renderPayload({ a: "{{#if (ask)}}yes{{else}}no{{/if}}" }, scope(helper()));
    expect(unavailable).toHaveLength(1);
  });

  test("a helper without a value ends the rendering of a single text", async () => {
    await expect((async () => renderText("{{ask}}", scope(helper())))()).rejects.toBeInstanceOf(
      ValueUnavailable,
    );
  });
});

test("a payload whose helpers all return values leaves nothing out", async () => {
  const source = { a: "{{ ask }}" };
  const rendered = await renderPayload(
    source,
    scope(() => "answer"),
  );
  expect(rendered).toEqual({ payload: { a: "answer" }, texts: { "/a": "answer" }, source });
});
