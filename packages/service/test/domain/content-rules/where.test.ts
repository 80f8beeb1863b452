import { expect, test } from "vitest";
import { whereIn } from "../../../src/domain/content-rules/where.ts";

const text = { componentId: "title", singleLine: { text: "a" } };
const list = { componentId: "list", selection: { keys: ["a", "b"] } };
const components = [
  text,
  { componentId: "x".repeat(101), singleLine: { text: "a" } },
  { componentId: "card", piece: { identifier: "card", components: [text, list] } },
  { componentId: "rows", contentChunk: { chunks: [[text], [text, list]] } },
  { componentId: "either", componentChoice: text },
  { componentId: "many", componentMultipleChoice: [text, list] },
];

test.each([
  [["components"], "components"],
  [["components", 9, "singleLine"], "components.9.singleLine"],
  [["components", 0, "componentId"], "components.title"],
  [["components", 0], "components.title"],
  [["components", 0, "singleLine", "text"], "components.title.singleLine"],
  [["components", 0, "numeric"], "components.title.numeric"],
  [["components", 1, "singleLine", "text"], `components.${"x".repeat(100)}….singleLine`],
  [["components", 2, "piece", "identifier"], "components.card.piece.identifier"],
  [["components", 2, "piece", "components"], "components.card.piece.components"],
  [
    ["components", 2, "piece", "components", 1, "selection", "keys", 1],
    "components.card.piece.components.list.selection",
  ],
  [["components", 3, "contentChunk", "chunks", 1], "components.rows.contentChunk.chunks.1"],
  [
    ["components", 3, "contentChunk", "chunks", 1, 0, "singleLine", "text"],
    "components.rows.contentChunk.chunks.1.title.singleLine",
  ],
  [["components", 4, "componentChoice", "singleLine"], "components.either.componentChoice.title.singleLine"],
  [
    ["components", 5, "componentMultipleChoice", 1, "selection"],
    "components.many.componentMultipleChoice.list.selection",
  ],
])("%j is named by the ids of the components: %s", (path, where) => {
  expect(whereIn(components, ["components"], path)).toBe(where);
});

test("a component's location begins with that of its list, or with the list's name", () => {
  expect(whereIn([text], [], [0, "singleLine", "text"])).toBe("components.title.singleLine");
  const base = ["variants", 3, "components"];
  expect(whereIn([text], base, [...base, 0, "singleLine"])).toBe("variants.3.components.title.singleLine");
});
