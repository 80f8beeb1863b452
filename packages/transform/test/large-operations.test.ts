import { expect, test } from "vitest";
import { convert } from "./converting.ts";

/** A map that makes one operation of a group, with a list of what `entries` are. */
const grouped = (...entries: unknown[]) => ({
  columns: { tags: { type: "list", separator: "|" }, more: { type: "list", separator: "|" } },
  groupBy: "id",
  operations: [
    {
      intent: "customer/upsert",
      identifier: "[[id]]",
      type: "individual",
      externalReferences: entries,
    },
  ],
});
const table = (rows: number, tags: string) =>
  `id,tags,more\nbob,a,a\n${Array.from({ length: rows }, () => `ada,${tags},${tags}`).join("\n")}\n`;

test("nested lists stop at the limit of entries, with the line of the row", async () => {
  const inner = { $each: "row", text: "x" };
  const map = grouped({ $each: "row", nested: [{ $each: "row", deeper: [inner] }] });
  const { isWhole, text, messages } = await convert(table(1_000, "a"), map);
  expect([isWhole, text.includes("ada")]).toEqual([false, false]);
  expect(messages.join("\n")).toContain(
    "table.csv:3: error: the operation of this row gets more than 100000 entries of lists, the limit",
  );
  const columns = grouped({
    $each: "row",
    nested: [{ $each: "tags", deeper: [{ $each: "more", text: "x" }] }],
  });
  expect((await convert(table(2, Array(400).fill("a").join("|")), columns)).messages.join("\n")).toMatch(
    /table\.csv:3: error: .* more than 100000 entries/,
  );
});

test("nested sections of lists stop at the same limit", async () => {
  const map = grouped({ key: "k", value: "[[#tags]][[#more]]x[[/more]][[/tags]]" });
  const { messages } = await convert(table(1, Array(400).fill("a").join("|")), map);
  expect(messages).toEqual([
    expect.stringMatching(/^table\.csv:3: error: .* more than 100000 entries of lists/),
  ]);
});

test("texts of nested sections stop at the length limit of an operation, before they are concatenated", async () => {
  const map = grouped({ key: "k", value: "[[#tags]][[#more]][[long]][[/more]][[/tags]]" });
  const tags = Array(300).fill("a").join("|");
  const { messages } = await convert(`id,tags,more,long\nada,${tags},${tags},${"x".repeat(8_000)}\n`, map);
  expect(messages).toEqual(["table.csv:2: error: the operation is longer than 16 MiB, the limit"]);
});

test("an operation over a file's limit of values or length is refused with the line of its row", {
  tags: "release",
}, async () => {
  const many = grouped({ $each: "row", key: "k", value: "v" });
  expect((await convert(table(40_000, "a"), many)).messages.join("\n")).toContain(
    "table.csv:3: error: the operation has more than 100000 values, the limit",
  );
  // Longer than any string can be.
  const long = grouped({ $each: "tags", key: "k", value: "x[[$long]]" });
  const map = { ...long, constants: { long: "y".repeat(100_000) } };
  expect((await convert(table(1, Array(9_000).fill("a").join("|")), map)).messages.join("\n")).toContain(
    "table.csv:3: error: the operation is longer than 16 MiB, the limit",
  );
});
