import { type ComponentDefinition, validateDefinitions } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { define } from "./support/check.ts";

const a = define("a", "boolean");
const b = define("b", "boolean");
const folders = (count: number) => ({ folders: Array(count).fill({ folderId: "65a000000000000000000001" }) });
const chunk = define("rows", "contentChunk", { components: [a] });
const choice = define("one", "componentChoice", { choices: [a, b] });
const many = define("many", "componentMultipleChoice", { choices: [a] });

/** The fault of each case, its definitions, and the errors as `path code: message`. */
const wrong: [string, ComponentDefinition[], ...string[]][] = [
  ["two components of one id", [a, a], '1/id DuplicateComponent: Two components have the id "a"'],
  [
    "two of one id in a chunk",
    [define("x", "contentChunk", { components: [a, b, a] })],
    '0/config/contentChunk/components/2/id DuplicateComponent: Two components have the id "a"',
  ],
  [
    "a long name",
    [{ ...a, name: "x".repeat(257) }],
    "0/name TooLong: The name has 257 characters; at most 256 are allowed",
  ],
  [
    "a long description",
    [{ ...a, description: "x".repeat(1025) }],
    "0/description TooLong: The description has 1025 characters; at most 1024 are allowed",
  ],
  [
    "a chunk without components",
    [define("x", "contentChunk", { components: [] })],
    "0/config/contentChunk/components TooFew: 0 components, but a contentChunk needs at least 1",
  ],
  [
    "a choice of one",
    [define("x", "componentChoice", { choices: [a] })],
    "0/config/componentChoice/choices TooFew: 1 choice, but a componentChoice needs at least 2",
  ],
  [
    "a multiple choice of none",
    [define("x", "componentMultipleChoice", { choices: [] })],
    "0/config/componentMultipleChoice/choices TooFew: 0 choices, but a componentMultipleChoice needs at least 1",
  ],
  [
    "a chunk in a chunk",
    [define("x", "contentChunk", { components: [chunk] })],

    "0/config/contentChunk/components/0/type StructureInStructure: A contentChunk cannot be directly inside another chunk or choice; put it into a piece",
  ],
  [
    "a choice in a choice",
    [define("x", "componentChoice", { choices: [a, choice] })],
    "0/config/componentChoice/choices/1/type StructureInStructure: A componentChoice cannot be directly inside another chunk or choice; put it into a piece",
  ],
  [
    "a multiple choice in a multiple choice",
    [define("x", "componentMultipleChoice", { choices: [many] })],
    "0/config/componentMultipleChoice/choices/0/type StructureInStructure: A componentMultipleChoice cannot be directly inside another chunk or choice; put it into a piece",
  ],
  [
    "a piece without its identifier",
    [define("x", "piece")],
    "0 ConfigMissing: A piece needs its settings under config.piece",
  ],
  [
    "a selection without options",
    [define("x", "selection")],
    "0 ConfigMissing: A selection needs its settings under config.selection",
  ],
  [
    "a chunk without settings",
    [define("x", "contentChunk")],
    "0 ConfigMissing: A contentChunk needs its settings under config.contentChunk",
  ],
  [
    "settings of another type",
    [{ ...a, config: { singleLine: { min: 1 } } }],
    "0/config/singleLine WrongConfig: The component is of the type boolean, but has settings for singleLine",
  ],
  [
    "a large min",
    [define("x", "singleLine", { min: 257 })],
    "0/config/singleLine/min LimitTooLarge: min is 257; at most 256 is allowed",
  ],
  [
    "a large max",
    [define("x", "richText", { max: 1_048_577 })],
    "0/config/richText/max LimitTooLarge: max is 1048577; at most 1048576 is allowed",
  ],
  [
    "a large minSkus",
    [define("x", "itemRelations", { minSkus: 257 })],
    "0/config/itemRelations/minSkus LimitTooLarge: minSkus is 257; at most 256 is allowed",
  ],
  [
    "too many decimal places",
    [define("x", "numeric", { decimalPlaces: 65 })],
    "0/config/numeric/decimalPlaces LimitTooLarge: decimalPlaces is 65; a whole number up to 64 is allowed",
  ],
  [
    "half a decimal place",
    [define("x", "numeric", { decimalPlaces: 1.5 })],
    "0/config/numeric/decimalPlaces LimitTooLarge: decimalPlaces is 1.5; a whole number up to 64 is allowed",
  ],
  [
    "too many quick-select folders",
    [define("x", "itemRelations", { quickSelect: folders(101) })],
    "0/config/itemRelations/quickSelect/folders TooMany: 101 quick-select folders; at most 100 are allowed",
  ],
  [
    "two options of one key",
    [
      define("x", "selection", {
        options: [
          { key: "k", value: "1" },
          { key: "k", value: "2" },
        ],
      }),
    ],
    '0/config/selection/options/1/key DuplicateOption: Two options have the key "k"',
  ],
  [
    "a pattern that does not parse",
    [define("x", "singleLine", { pattern: "(" })],
    "0/config/singleLine/pattern InvalidPattern: The pattern is not a regular expression: Invalid regular expression: /(/: Unterminated group",
  ],
  [
    "a pattern with a back reference",
    [define("x", "singleLine", { pattern: "^(a+)\\1+$" })],
    "0/config/singleLine/pattern UnsafePattern: The pattern ^(a+)\\1+$ cannot be run in linear time: it cannot use look-around, back references or large nested counts",
  ],
  [
    "a long pattern",
    [define("x", "singleLine", { pattern: "x".repeat(257) })],
    "0/config/singleLine/pattern TooLong: The pattern has 257 characters; at most 256 are allowed",
  ],
];

test.each(wrong)("definitions with %s are refused", (_what, definitions, ...errors) => {
  const found = validateDefinitions(definitions, ["components"]);
  expect(found.map(({ path, code, message }) => `${path.join("/")} ${code}: ${message}`)).toEqual(
    errors.map((error) => `components/${error}`),
  );
});

test.each<[string, ComponentDefinition[]]>([
  ["nothing", []],
  ["structures next to each other", [chunk, choice, many]],
  [
    "pieces within structures, and structures within those",
    [define("x", "contentChunk", { components: [define("p", "piece", { identifier: "p" })] })],
  ],
  [
    "the largest of everything",
    [
      {
        ...define("x", "singleLine", { min: 256, max: 1_048_576, pattern: "^[a-z]{2,5}(-[a-z]+)?$" }),
        name: "x".repeat(256),
        description: "x".repeat(1024),
      },
      define("n", "numeric", { decimalPlaces: 64 }),
      define("r", "itemRelations", { quickSelect: folders(100) }),
    ],
  ],
  ["files without settings", [define("f", "files")]],
  ["one id inside and outside of a chunk", [a, define("x", "contentChunk", { components: [a] })]],
])("definitions with %s are accepted", (_what, definitions) => {
  expect(validateDefinitions(definitions, ["components"])).toEqual([]);
});
