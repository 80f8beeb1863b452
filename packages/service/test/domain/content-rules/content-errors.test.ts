import type { ComponentDefinition } from "@lading/schema/internal";
import { describe, expect, it, test } from "vitest";
import { define, errorsOf } from "./support/check.ts";

const title = define("title", "singleLine");

describe("content that does not belong to its shape", () => {
  it("the error about an unknown component names the one that was probably meant", () => {
    expect(errorsOf([title], [{ componentId: "tilte", singleLine: { text: "x" } }])).toEqual([
      'components/0/componentId UnknownComponent: There is no component "tilte" here. Did you mean "title"?',
    ]);
  });

  it("the error about an unknown component lists the components when none is near", () => {
    expect(
      errorsOf([title, define("body", "richText")], [{ componentId: "price", numeric: { number: 1 } }]),
    ).toEqual([
      'components/0/componentId UnknownComponent: There is no component "price" here. There are "title" or "body".',
    ]);
  });

  it("the error about an unknown component says when the shape has none at all", () => {
    expect(errorsOf([], [{ componentId: "price", numeric: { number: 1 } }])[0]).toContain(
      "There are none here.",
    );
  });

  it("content under the key of another type is refused", () => {
    expect(errorsOf([title], [{ componentId: "title", richText: { html: ["x"] } }])).toEqual([
      'components/0/richText WrongComponentType: The component "title" is of the type singleLine, not richText',
    ]);
  });

  it("content under two keys is refused", () => {
    const both = { componentId: "title", singleLine: { text: "x" }, numeric: { number: 1 } };
    expect(errorsOf([title], [both])).toEqual([
      'components/0/numeric WrongComponentType: The component "title" is of the type singleLine, not numeric',
    ]);
  });

  it("content without any key is refused: a typing error would clear a component", () => {
    expect(errorsOf([title], [{ componentId: "title" }])).toEqual([
      'components/0 NoContent: The component "title" needs content under singleLine; null clears it',
    ]);
    expect(errorsOf([title], [{ componentId: "title", richText: null }])[0]).toContain("NoContent");
  });

  it("content that is given twice is refused", () => {
    const once = { componentId: "title", singleLine: { text: "x" } };
    expect(errorsOf([title], [once, once])).toEqual([
      'components/1 DuplicateComponent: The component "title" is given twice',
    ]);
  });

  it("wrong content gives at most a thousand errors", () => {
    const wrong = Array.from({ length: 5_000 }, (_, i) => ({
      componentId: `x${i}`,
      singleLine: { text: "x" },
    }));
    expect(errorsOf([title], wrong)).toHaveLength(1_000);
  });

  it("errors about content shorten long texts and long lists", () => {
    const options = Array.from({ length: 50 }, (_, i) => ({ key: `option-${i}`, value: "x" }));
    const [error = ""] = errorsOf(
      [define("size", "selection", { options })],
      [{ componentId: "size", selection: { keys: ["x".repeat(5_000)] } }],
    );
    expect(error).toContain("or 45 more");
    expect(error.length).toBeLessThan(600);
  });
});

describe("a required component", () => {
  const required = define("title", "singleLine", { required: true });
  const missing =
    'components RequiredComponentMissing: The component "title" (singleLine) is required and is missing';
  const empty =
    'components/0 RequiredComponentMissing: The component "title" (singleLine) is required and has no content';

  it("a required component must be there when the content is given whole", () => {
    expect(errorsOf([required], [])).toEqual([missing]);
  });

  it("a required component may be absent when another component is updated", () => {
    expect(
      errorsOf([required, define("body", "richText")], [{ componentId: "body", richText: { html: ["x"] } }], {
        complete: false,
      }),
    ).toEqual([]);
  });

  it.each([[null], [{ text: "" }], [{}]])("a required component cannot be cleared by %o", (singleLine) => {
    const cleared = [{ componentId: "title", singleLine }];
    expect(errorsOf([required], cleared)).toEqual([empty]);
    expect(errorsOf([required], cleared, { complete: false })).toEqual([empty]);
  });

  it("a required component with wrong content is not reported as missing as well", () => {
    const errors = errorsOf([required], [{ componentId: "title", richText: { html: ["x"] } }]);
    expect(errors).toHaveLength(1);
  });

  it("a required component must be there within each piece and each chunk that is given", () => {
    const shape = [
      define("card", "piece", { identifier: "card" }),
      define("rows", "contentChunk", { components: [required], repeatable: true }),
    ];
    const content = [
      { componentId: "card", piece: { identifier: "card", components: [] } },
      {
        componentId: "rows",
        contentChunk: { chunks: [[{ componentId: "title", singleLine: { text: "x" } }], []] },
      },
    ];
    expect(errorsOf(shape, content, { complete: false, pieces: { card: [required] } })).toEqual([
      missing.replace("components", "components/0/piece/components"),
      missing.replace("components", "components/1/contentChunk/chunks/1"),
    ]);
  });
});

const ids = (count: number) => Array.from({ length: count }, (_, i) => i.toString(16).padStart(24, "0"));
const keys = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `key-${i}` }));
const options = ["s", "m", "l"].map((key) => ({ key, value: key.toUpperCase() }));
const sections = [{ title: "Size", keys: ["width", "height"] }, { keys: ["material"] }];

/** By type: settings, content, and the errors, with paths that begin below the type. */
const limits: Partial<Record<ComponentDefinition["type"], [object, unknown, ...string[]][]>> = {
  singleLine: [
    [{ min: 3 }, { text: "ab" }, "/text TooFew: 2 characters, but the shape requires at least 3"],
    [{ min: 3 }, { text: "a" }, "/text TooFew: 1 character, but the shape requires at least 3"],
    [{ max: 3 }, { text: "abcd" }, "/text TooMany: 4 characters, but the shape allows at most 3"],
    [
      { pattern: "^[a-z]+$" },
      { text: "A1" },
      '/text PatternMismatch: "A1" does not match the pattern ^[a-z]+$',
    ],
  ],
  richText: [
    [
      { min: 5 },
      { html: ["<p><b>four</b></p>"] },
      " TooFew: 4 characters of text, but the shape requires at least 5",
    ],
    [
      { max: 3 },
      { html: ["<p>a&amp;</p>", "<p>bc</p>"] },
      " TooMany: 4 characters of text, but the shape allows at most 3",
    ],
    [
      { max: 3 },
      { json: [{ kind: "block", children: [{ kind: "inline", textContent: "four" }] }] },
      " TooMany: 4 characters of text, but the shape allows at most 3",
    ],
  ],
  numeric: [
    [
      { decimalPlaces: 2 },
      { number: 1.255 },
      "/number TooManyDecimalPlaces: 1.255 has 3 decimal places, but the shape allows 2",
    ],
    [
      { decimalPlaces: 2 },
      { number: 1e-7 },
      "/number TooManyDecimalPlaces: 1e-7 has 7 decimal places, but the shape allows 2",
    ],
    [
      { units: ["cm", "mm"] },
      { number: 1, unit: "km" },
      '/unit UnknownUnit: The unit "km" is not "cm" or "mm"',
    ],
  ],
  selection: [
    [{ options }, { keys: ["m", "xl"] }, '/keys/1 UnknownOption: "xl" is not "s", "m" or "l"'],
    [{ options }, { keys: ["m", "m"] }, '/keys/1 DuplicateOption: "m" is selected twice'],
    [
      { options, min: 2 },
      { keys: ["m"] },
      "/keys TooFew: 1 selected option, but the shape requires at least 2",
    ],
    [
      { options, max: 1 },
      { keys: ["s", "m"] },
      "/keys TooMany: 2 selected options, but the shape allows at most 1",
    ],
  ],
  images: [
    [{ min: 2 }, keys(1), " TooFew: 1 image, but the shape requires at least 2"],
    [{ max: 2 }, keys(3), " TooMany: 3 images, but the shape allows at most 2"],
    [{ max: 0 }, keys(1), " TooMany: 1 image, but the shape allows at most 0"],
    [{}, keys(513), " TooMany: 513 images, but a component holds at most 512"],
    [{ max: 1_000 }, keys(513), " TooMany: 513 images, but a component holds at most 512"],
  ],
  videos: [[{}, keys(513), " TooMany: 513 videos, but a component holds at most 512"]],
  files: [
    [{ max: 0 }, keys(513), " TooMany: 513 files, but a component holds at most 512"],
    [{ max: 1 }, keys(2), " TooMany: 2 files, but the shape allows at most 1"],
  ],
  gridRelations: [
    [{ max: 1 }, { gridIds: ids(2) }, "/gridIds TooMany: 2 grids, but the shape allows at most 1"],
    [{}, { gridIds: ids(513) }, "/gridIds TooMany: 513 grids, but a component holds at most 512"],
  ],
  itemRelations: [
    [{ minItems: 2 }, { itemIds: ids(1) }, "/itemIds TooFew: 1 item, but the shape requires at least 2"],
    [{ maxItems: 1 }, { itemIds: ids(2) }, "/itemIds TooMany: 2 items, but the shape allows at most 1"],
    [{ max: 1 }, { itemIds: ids(2) }, "/itemIds TooMany: 2 items, but the shape allows at most 1"],
    [{ minSkus: 2 }, { skus: ["a"] }, "/skus TooFew: 1 SKU, but the shape requires at least 2"],
    [{ maxSkus: 0 }, { skus: ["a"] }, "/skus TooMany: 1 SKU, but the shape allows at most 0"],
    [{}, { itemIds: ids(75), skus: ["a"] }, " TooMany: 76 relations, but a component holds at most 75"],
  ],
  propertiesTable: [
    [
      { sections },
      { sections: [{ title: "Wheels" }] },
      '/sections/0 UnknownSection: The shape has no section "Wheels"; it has "Size"',
    ],
    [
      { sections },
      { sections: [{}, {}, {}] },
      '/sections/2 UnknownSection: The shape has no section at index 2; it has "Size"',
    ],
    [
      { sections },
      { sections: [{ title: "Size", properties: [{ key: "width" }, { key: "depth" }] }] },
      '/sections/0/properties/1/key UnknownPropertyKey: "depth" is not "width" or "height"',
    ],
  ],
  paragraphCollection: [
    [
      { multilingual: [] },
      { paragraphs: [{}, { videos: keys(513) }] },
      "/paragraphs/1/videos TooMany: 513 videos, but a component holds at most 512",
    ],
  ],
  colors: [
    [
      { max: 1 },
      { colors: [{ ral: "1000" }, { ral: "1001" }] },
      "/colors TooMany: 2 colors, but the shape allows at most 1",
    ],
    [
      {},
      { colors: Array(101).fill({ ral: "1000" }) },
      "/colors TooMany: 101 colors, but a component holds at most 100",
    ],
    [
      { requireLabel: true },
      { colors: [{ hex: "#fff" }] },
      "/colors/0 LabelMissing: The shape requires a label for each color",
    ],
    [
      {},
      { colors: [{ hex: "red" }] },
      '/colors/0/hex InvalidColor: "red" is not a hex color such as "#1a2b3c"',
    ],
    [
      {},
      { colors: [{ label: "Red" }] },
      '/colors/0 InvalidColor: A color needs one of "hex", "pantone", "ral", "cmyk", "hsl" or "rgb"',
    ],
    [
      { customColorSpaces: ["hex"] },
      { colors: [{ hex: "#fff", ral: "9010" }] },
      '/colors/0/ral UnknownColorSpace: A color that is not a preset may have "hex", not ral',
    ],
  ],
};
const rows = Object.entries(limits).flatMap(([type, cases]) =>
  cases.map((row) => ({ type: type as keyof typeof limits, row })),
);

test.each(rows)("a $type with $row.0 refuses a value beyond its limits", ({ type, row }) => {
  const [settings, content, ...errors] = row;
  const found = errorsOf([define("it", type, settings)], [{ componentId: "it", [type]: content }]);
  expect(found).toEqual(errors.map((error) => `components/0/${type}${error}`));
});
