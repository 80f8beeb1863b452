import {
  type ComponentContent,
  type ComponentDefinition,
  checkOperationFile,
  compileContent,
  componentTypes,
  parsePayload,
  toPointer,
  validateDefinitions,
} from "@lading/schema/internal";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../../../test/support/extent.ts";
import { decimalPlaces } from "../../../../schema/src/content/leaf-checks.ts";
import { define } from "./support/check.ts";

const leaves: ComponentDefinition[] = [
  define("line", "singleLine", { min: 1, max: 20 }),
  define("text", "richText"),
  define("size", "numeric", { decimalPlaces: 2, units: ["cm", "m"] }),
  define("fit", "selection", { options: ["s", "m", "l"].map((key) => ({ key, value: key })), max: 2 }),
  define("yes", "boolean"),
];
const card = define("card", "piece", { identifier: "card" });
const shape: ComponentDefinition[] = [
  ...leaves,
  card,
  define("rows", "contentChunk", { components: [...leaves, card], repeatable: true }),
  define("one", "componentChoice", { choices: leaves }),
  define("many", "componentMultipleChoice", { choices: [...leaves, card], allowDuplicates: true }),
];

const leafContent = [
  fc.record({
    componentId: fc.constant("line"),
    singleLine: fc.record({ text: fc.string({ minLength: 1, maxLength: 20 }) }),
  }),
  fc.record({
    componentId: fc.constant("text"),
    richText: fc.record({ html: fc.array(fc.string(), { minLength: 1, maxLength: 3 }) }),
  }),
  fc.record({
    componentId: fc.constant("size"),
    numeric: fc.record({ number: fc.integer().map((n) => n / 100), unit: fc.constantFrom("cm", "m") }),
  }),
  fc.record({
    componentId: fc.constant("fit"),
    selection: fc.record({
      keys: fc.uniqueArray(fc.constantFrom("s", "m", "l"), { minLength: 1, maxLength: 2 }),
    }),
  }),
  fc.record({ componentId: fc.constant("yes"), boolean: fc.record({ value: fc.boolean() }) }),
];
const leaf = fc.oneof(...(leafContent as fc.Arbitrary<object>[]));
const byId = (component: object) => (component as { componentId: string }).componentId;
const cardContent = fc
  .uniqueArray(leaf, { selector: byId })
  .map((components) => ({ componentId: "card", piece: { identifier: "card", components } }));
const nestable = fc.oneof(leaf, cardContent);
const whole = fc.uniqueArray(
  fc.oneof(
    nestable,
    fc
      .array(fc.uniqueArray(nestable, { selector: byId, maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((chunks) => ({ componentId: "rows", contentChunk: { chunks } })),
    leaf.map((componentChoice) => ({ componentId: "one", componentChoice })),
    fc
      .array(nestable, { minLength: 1, maxLength: 4 })
      .map((componentMultipleChoice) => ({ componentId: "many", componentMultipleChoice })),
  ),
  { selector: byId, maxLength: 8 },
);

const compiled = compileContent(shape);
const pieces = new Map([["card", compileContent(leaves)]]);
const validate = (components: object[]) =>
  compiled.validate(components as ComponentContent[], {
    complete: true,
    pieces: (identifier) => pieces.get(identifier),
  });

test("valid content is stored unchanged", () => {
  expect(validateDefinitions(shape, [])).toEqual([]);
  fc.assert(
    fc.property(whole, (components) => {
      expect(validate(components)).toMatchObject({ components, errors: [] });
    }),
  );
});

test("one wrong component in it is reported at its path, and only that", () => {
  const flaw = { componentId: "lin", singleLine: { text: "x" } };
  fc.assert(
    fc.property(whole, fc.nat(), (components, at) => {
      const index = at % (components.length + 1);
      const { errors } = validate(components.toSpliced(index, 0, flaw));
      expect(errors.map(({ code, path }) => [code, path])).toEqual([
        ["UnknownComponent", ["components", index, "componentId"]],
      ]);
    }),
  );
});

const contents = fc.oneof(leaf, cardContent).map((component) => Object.values(component)[1]);
const odd = fc
  .record({
    componentId: fc.constantFrom(...shape.map(({ id }) => id), "must", "nobody"),
    type: fc.constantFrom(...componentTypes),
    content: fc.option(contents),
  })
  .filter(({ type, content }) => content === null || type === "boolean" || type === "datetime")
  .map(({ componentId, type, content }) => ({ componentId, [type]: content }));

test("any mix of components and types is checked without a defect, and stored content passes again", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(nestable, odd), { maxLength: 6 }), (components) => {
      const { components: stored } = validate(components);
      expect(validate(stored)).toMatchObject({ components: stored, errors: [] });
    }),
  );
});

const texts = fc.constantFrom("", "a", "ab", "abc", "x".repeat(30), "&amp;");
const flawed: readonly [ComponentDefinition, fc.Arbitrary<unknown>][] = [
  [define("line", "singleLine", { min: 2, max: 20, pattern: "^a" }), fc.record({ text: texts })],
  [define("must", "singleLine", { required: true }), fc.record({ text: texts })],
  [
    define("text", "richText", { min: 2, max: 8 }),
    fc.record({ html: fc.oneof(texts, fc.array(texts, { maxLength: 3 })) }),
  ],
  [
    define("size", "numeric", { decimalPlaces: 1, units: ["cm"] }),
    fc.record({ number: fc.constantFrom(1, 1.5, 1.25), unit: fc.constantFrom("cm", "m") }),
  ],
  [
    define("fit", "selection", { options: ["s", "m"].map((key) => ({ key, value: key })), max: 1 }),
    fc.record({ keys: fc.array(fc.constantFrom("s", "m", "l"), { maxLength: 3 }) }),
  ],
  [
    define("files", "files", { min: 2, max: 3, maxFileSize: { size: 1, unit: "MiB" } }),
    fc.array(fc.record({ key: fc.constantFrom("a.pdf", "b") }), { maxLength: 4 }),
  ],
  [
    define("color", "colors", {
      requireLabel: true,
      customColorSpaces: ["hex"],
      colorPresets: [{ ral: "1" }],
    }),
    fc.record({
      colors: fc.array(
        fc.record(
          { hex: fc.constantFrom("#fff", "white"), ral: fc.constantFrom("1", "2"), label: fc.constant("x") },
          { requiredKeys: [] },
        ),
        { maxLength: 2 },
      ),
    }),
  ],
  [
    define("table", "propertiesTable", { sections: [{ title: "t", keys: ["k"] }] }),
    fc.record({
      sections: fc.array(
        fc.record({
          title: fc.constantFrom("t", "u"),
          properties: fc.array(fc.record({ key: fc.constantFrom("k", "l"), value: texts }), { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    }),
  ],
  [
    define("others", "itemRelations", { minItems: 1, maxItems: 1, maxSkus: 1 }),
    fc.record({
      itemIds: fc.array(fc.constant("0123456789abcdef01234567"), { maxLength: 2 }),
      skus: fc.array(texts, { maxLength: 2 }),
    }),
  ],
];
const inner = flawed.map(([definition]) => definition);
const definitions = [
  ...inner,
  define("card", "piece", { identifier: "card" }),
  define("row", "contentChunk", { components: [...inner, define("in", "piece", { identifier: "card" })] }),
  define("one", "componentChoice", { choices: inner }),
  define("many", "componentMultipleChoice", { choices: inner }),
];

/** A component that may have another id, another type, no content or content that breaks the rules of its shape. */
const wrongLeaf = fc
  .tuple(fc.constantFrom(...flawed), fc.constantFrom(...definitions, undefined), fc.nat(9))
  .chain(([[{ id, type }, content], other, kind]) =>
    fc.record({
      componentId: fc.constant(kind > 0 ? id : (other?.id ?? "nobody")),
      [type]: kind === 1 ? fc.constant(null) : content,
      ...(kind === 2 && { boolean: fc.constant({ value: true }) }),
    }),
  );
const wrongList = fc.array(wrongLeaf, { maxLength: 3 });
const wrongPiece = fc.record({ identifier: fc.constantFrom("card", "card", "cart"), components: wrongList });
const wrongContent = fc.array(
  fc.oneof(
    wrongLeaf,
    wrongPiece.map((piece) => ({ componentId: "card", piece })),
    fc.array(wrongList, { maxLength: 2 }).map((chunks) => ({ componentId: "row", contentChunk: { chunks } })),
    wrongLeaf.map((componentChoice) => ({ componentId: "one", componentChoice })),
    wrongList.map((componentMultipleChoice) => ({ componentId: "many", componentMultipleChoice })),
  ),
  { maxLength: 6 },
);

test("validation finds exactly what the command rejects, if the file has the shape", async () => {
  expect(validateDefinitions(definitions, [])).toEqual([]);
  const rules = compileContent(definitions);
  const cards = compileContent(inner);
  await fc.assert(
    fc.asyncProperty(wrongContent, async (components) => {
      const operation = {
        ...{ intent: "document/create", language: "en", name: "n", shapeIdentifier: "page", components },
        tree: { parentId: "0123456789abcdef01234567" },
      };
      const parsed = parsePayload("document/create", operation);
      const { issues } = await checkFile([
        { intent: "piece/create", identifier: "card", name: "Card", components: inner },
        {
          intent: "shape/create",
          identifier: "page",
          name: "Page",
          type: "document",
          components: definitions,
        },
        operation,
      ]);
      const { errors } = rules.validate(("payload" in parsed && parsed.payload.components) || [], {
        complete: true,
        pieces: (identifier) => (identifier === "card" ? cards : undefined),
      });
      expect(issues.map(({ code, pointer, message }) => `${pointer} ${code} ${message}`).toSorted()).toEqual(
        errors
          .map(({ code, path, message }) => `/operations/2${toPointer(path)} ${code} ${message}`)
          .toSorted(),
      );
    }),
    { numRuns: runs(300) },
  );
});

const checkFile = (operations: object[]) =>
  checkOperationFile(
    (async function* () {
      yield Buffer.from(JSON.stringify({ version: "1.0.0", operations }));
    })(),
  );

test("decimal places are those of the decimal notation", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 12 }), (digits, decimals) => {
      const number = Number(`${digits}e-${decimals}`);
      const written = number.toFixed(20).replace(/0+$/, "");
      expect(decimalPlaces(number)).toBeLessThanOrEqual(decimals);
      expect(decimalPlaces(number)).toBeLessThanOrEqual(written.split(".")[1]?.length ?? 0);
      expect(Number(number.toFixed(decimalPlaces(number)))).toBe(number);
    }),
  );
});
