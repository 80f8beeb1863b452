import { type ComponentType, plainTextOf } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { check, define } from "./support/check.ts";

const id = "65a000000000000000000001";
const options = [{ key: "s", value: "S" }];

/** Type, settings, and content that is stored unchanged. */
const accepted: [ComponentType, object | undefined, unknown][] = [
  ["boolean", undefined, { value: false }],
  ["singleLine", { min: 1, max: 4, pattern: "^\\w+$" }, { text: "abcd" }],
  ["singleLine", { min: null, max: null }, { text: "x".repeat(10_000) }],
  ["richText", { max: 4 }, { html: ["<p class='a long one'>ab</p>", "<p>&lt;d</p>"] }],
  ["richText", { max: 4 }, { html: ["<b>four</b>"], json: [{ textContent: "counted in the HTML" }] }],
  [
    "richText",
    { max: 4 },
    { json: [null, "text", { textContent: "fo" }, { children: [{ textContent: "ur" }] }] },
  ],
  ["numeric", { decimalPlaces: 2, units: ["cm"] }, { number: -1.25, unit: "cm" }],
  ["numeric", { decimalPlaces: 2 }, { number: 1e21, unit: "any" }],
  ["numeric", { units: [] }, { number: 0, unit: "any" }],
  ["datetime", undefined, { datetime: "2026-01-31T12:00:00Z" }],
  ["location", undefined, { lat: 59.1, long: 0 }],
  ["selection", { options, min: 1, max: 1 }, { keys: ["s"] }],
  ["images", { min: 1, max: 1 }, [{ key: "a" }]],
  ["videos", undefined, [{ key: "a" }]],
  ["files", { max: 0, maxFileSize: { size: 1, unit: "MiB" } }, [{ key: "a" }, { key: "b" }]],
  ["gridRelations", undefined, { gridIds: [id] }],
  ["itemRelations", { minItems: 1, maxItems: 1, minSkus: 0, maxSkus: 0 }, { itemIds: [id] }],
  ["itemRelations", { max: 1, maxItems: 2 }, { itemIds: [id, id] }],
  ["propertiesTable", undefined, { sections: [{ title: "Any", properties: [{ key: "any", value: "x" }] }] }],
  ["propertiesTable", { sections: [{ keys: ["a"] }] }, { sections: [{ properties: [{ key: "a" }] }] }],
  [
    "propertiesTable",
    { sections: [{ title: "T", keys: [] }] },
    { sections: [{ title: "T", properties: [{ key: "a" }] }] },
  ],
  ["paragraphCollection", { multilingual: ["body"] }, { paragraphs: [{ title: { text: "x" } }] }],
  ["colors", undefined, { colors: [{ rgb: { r: 1, g: 2, b: 3 } }] }],
  [
    "colors",
    { customColorSpaces: ["hex"], colorPresets: [{ ral: "9010" }] },
    { colors: [{ ral: "9010" }, { hex: "#ffffff" }] },
  ],
];

test.each(accepted)("%s with %j keeps %j", (type, settings, content) => {
  const component = { componentId: "it", [type]: content };
  expect(check([define("it", type, settings)], [component])).toEqual({ components: [component], errors: [] });
});

/** Empty content clears its component, whatever the lower limits. */
const empty: [ComponentType, object | undefined, unknown][] = [
  ["boolean", undefined, {}],
  ["singleLine", { min: 5, pattern: "^x$" }, { text: "" }],
  ["richText", { min: 5 }, { html: [], json: [] }],
  ["datetime", undefined, {}],
  ["location", undefined, {}],
  ["selection", { options, min: 1 }, { keys: [] }],
  ["images", { min: 1 }, []],
  ["videos", { min: 1 }, []],
  ["files", { min: 1 }, []],
  ["gridRelations", { min: 1 }, { gridIds: [] }],
  ["itemRelations", { minItems: 1 }, { itemIds: [] }],
  ["propertiesTable", undefined, { sections: [] }],
  ["paragraphCollection", { multilingual: [] }, { paragraphs: [] }],
  ["colors", { min: 1 }, { colors: [] }],
  ["contentChunk", { components: [] }, { chunks: [] }],
  ["componentChoice", { choices: [define("a", "boolean")] }, { componentId: "a", boolean: null }],
  ["componentMultipleChoice", { choices: [define("a", "boolean")] }, [{ componentId: "a", boolean: {} }]],
  ["componentMultipleChoice", { choices: [] }, []],
  ["componentChoice", { choices: [] }, null],
  ["piece", { identifier: "card" }, null],
  ["numeric", { decimalPlaces: 2 }, null],
];

test.each(empty)("%s with %j is cleared by %j", (type, settings, content) => {
  const component = { componentId: "it", [type]: content };
  expect(check([define("it", type, settings)], [component])).toEqual({ components: [], errors: [] });
});

test("keys of other types are accepted if they are null, and are not stored", () => {
  const component = { componentId: "it", singleLine: { text: "x" }, richText: null };
  expect(check([define("it", "singleLine")], [component])).toEqual({
    components: [{ componentId: "it", singleLine: { text: "x" } }],
    errors: [],
  });
});

test("rich text is measured and read in time that grows with its length, even where no tag is closed", () => {
  const html = ["<".repeat(200_000), "a < b"];
  const before = process.cpuUsage();
  expect(check([define("it", "richText")], [{ componentId: "it", richText: { html } }]).errors).toEqual([]);
  expect(plainTextOf({ html })).toBe(html.join("\n"));
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1);
});
