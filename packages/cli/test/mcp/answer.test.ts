import { expect, test } from "vitest";
import { type Answer, fitting, fittingOne, resultOf } from "../../src/mcp/answer.ts";

const dataOf = (data: NonNullable<Answer["data"]>) => {
  const { structuredContent, content } = resultOf({ says: ["One."], data }, undefined);
  return {
    content,
    untrusted: new Map<string, unknown>(Object.entries(structuredContent ?? {})).get("untrusted"),
  };
};

test("text that was cut says how much of it is left out, also after the whole answer was made", () => {
  const rows = fitting([{ name: "x".repeat(30_000) }]);
  expect(dataOf({ rows }).untrusted).toEqual({
    rows: [{ name: `${"x".repeat(500)}… 29,500 more characters` }],
  });
});

test("a list that was cut says how many entries are left out, also after the whole answer was made", () => {
  const list = fittingOne(
    Array.from({ length: 9_000 }, (_, i) => `entry ${i}`),
    8_000,
  );
  expect(dataOf({ list }).untrusted).toEqual({ list: expect.arrayContaining(["… 8,950 more"]) });
});

test("an answer that is short enough has all of its texts, lists and levels", () => {
  let nested: unknown = "bottom";
  for (let depth = 0; depth < 40; depth++) nested = [nested];
  const data = { text: "x".repeat(2_000), list: Array(200).fill(1), nested };
  expect(dataOf(data).untrusted).toEqual(data);
});

test("an answer is as short in bytes, whatever the script of its texts", () => {
  const { untrusted } = dataOf({ rows: fitting(Array(50).fill({ name: "漢".repeat(480) })) });
  expect(Buffer.byteLength(JSON.stringify(untrusted))).toBeLessThan(24_000);
});

test("letters that nobody sees are escapes, and those that join letters and make emoji stay", () => {
  const smuggled = "\u200b\u2060\ufeff\u00ad\u{e0100}\u{e0041}\u3164\u180e";
  const { content, untrusted } = dataOf({ smuggled, fine: "می\u200cخواهم ❤\ufe0f" });
  expect(JSON.stringify([content, untrusted])).not.toMatch(
    /[\u200b\u2060\ufeff\u00ad\u{e0000}-\u{e0fff}\u3164\u180e]/u,
  );
  expect(untrusted).toMatchObject({ fine: "می\u200cخواهم ❤\ufe0f" });
});
