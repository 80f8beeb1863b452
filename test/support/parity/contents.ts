import { ids, own } from "./words.ts";

const choices = [
  { id: "text", type: "singleLine" },
  { id: "size", type: "numeric" },
  { id: "seo", type: "piece", config: { piece: { identifier: "seo" } } },
];
const seo = { identifier: "seo", components: [{ componentId: "title", singleLine: { text: "S" } }] };

/** A component of each type: further fields of its definition, and contents of which some are wrong. */
const types: readonly [type: string, more: object, contents: readonly unknown[]][] = [
  [
    "singleLine",
    { config: { singleLine: { max: 20, pattern: "^[^!]*$" } } },
    [{ text: "A" }, { text: "No!" }],
  ],
  ["richText", {}, [{ html: ["<p>a</p>"] }, { html: [] }]],
  ["boolean", {}, [{ value: true }, { value: false }]],
  [
    "numeric",
    { config: { numeric: { decimalPlaces: 2, units: ["kg"] } } },
    [{ number: 1.25 }, { number: 2, unit: "kg" }, { number: 1.234 }, { number: 1, unit: "m" }],
  ],
  ["datetime", {}, [{ datetime: "2026-02-01T10:00:00Z" }]],
  [
    "location",
    {},
    [
      { lat: 59.9, long: 10.7 },
      { lat: 100, long: 0 },
    ],
  ],
  [
    "selection",
    { config: { selection: { max: 1, options: ["a", "b"].map((key) => ({ key, value: key })) } } },
    [{ keys: ["a"] }, { keys: ["b"] }, { keys: ["c"] }, { keys: ["a", "b"] }],
  ],
  ["images", {}, [[{ key: own.image, altText: "An image" }], []]],
  ["videos", {}, [[{ key: "v", title: "V", thumbnails: [{ key: own.image }] }], []]],
  ["files", { config: { files: { maxFileSize: { size: 1, unit: "MiB" } } } }, [[{ key: "k", title: "F" }]]],
  [
    "itemRelations",
    { config: { itemRelations: { maxItems: 1 } } },
    [{ itemIds: [ids.documents[0]] }, { itemIds: ids.documents }, { skus: ["shoe"] }],
  ],
  ["gridRelations", {}, [{ gridIds: [ids.documents[0]] }, { gridIds: [] }]],
  [
    "propertiesTable",
    {},
    [{ sections: [{ title: "T", properties: [{ key: "k", value: "v" }] }] }, { sections: [] }],
  ],
  [
    "paragraphCollection",
    { config: { paragraphCollection: { multilingual: ["title", "body"] } } },
    [{ paragraphs: [{ title: { text: "T" }, body: { html: ["<p>b</p>"] } }] }],
  ],
  ["colors", {}, [{ colors: [{ label: "Red", hex: "#ff0000" }] }, { colors: [{ label: "None" }] }]],
  [
    "contentChunk",
    { config: { contentChunk: { components: choices, repeatable: true } } },
    [
      {
        chunks: [[{ componentId: "text", singleLine: { text: "In" } }], [{ componentId: "seo", piece: seo }]],
      },
      { chunks: [] },
    ],
  ],
  [
    "componentChoice",
    { config: { componentChoice: { choices } } },
    [
      { componentId: "size", numeric: { number: 3 } },
      { componentId: "none", numeric: { number: 3 } },
    ],
  ],
  [
    "componentMultipleChoice",
    { config: { componentMultipleChoice: { choices } } },
    [
      [
        { componentId: "text", singleLine: { text: "M" } },
        { componentId: "seo", piece: seo },
      ],
      [],
    ],
  ],
  ["piece", { config: { piece: { identifier: "seo" } } }, [seo]],
];

const components = types.map(([type, more, contents]) => ({
  definition: { id: type, type, ...more },
  contents,
}));

export const definitions: readonly object[] = components.map(({ definition }) => definition);

/** Contents for these shapes: most fit, some do not. */
export const contents: readonly object[] = components.flatMap(({ definition, contents: possible }) =>
  [...possible, null].map((content) => ({ componentId: definition.id, [definition.type]: content })),
);
