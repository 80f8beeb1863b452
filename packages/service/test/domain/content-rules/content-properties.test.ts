import {
  type ComponentContent,
  type ComponentDefinition,
  checkOperationFile,
  componentTypes,
  toPointer,
} from "@lading/schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileContent, validateDefinitions } from "../../../src/domain/content-rules/index.ts";
import { decimalPlaces } from "../../../src/domain/content-rules/leaf-checks.ts";
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

test("content that fits is stored as it is", () => {
  expect(validateDefinitions(shape, [])).toEqual([]);
  fc.assert(
    fc.property(whole, (components) => {
      expect(validate(components)).toMatchObject({ components, errors: [] });
    }),
  );
});

test("one wrong component in it is reported at its place, and only that", () => {
  const flaw = { componentId: "lin", singleLine: { text: "x" } };
  fc.assert(
    fc.property(whole, fc.nat(), (components, at) => {
      const place = at % (components.length + 1);
      const { errors } = validate(components.toSpliced(place, 0, flaw));
      expect(errors.map(({ code, path }) => [code, path])).toEqual([
        ["UnknownComponent", ["components", place, "componentId"]],
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

test("any mix of components and types is judged without a defect, and what is stored passes again", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(nestable, odd), { maxLength: 6 }), (components) => {
      const { components: stored } = validate(components);
      expect(validate(stored)).toMatchObject({ components: stored, errors: [] });
    }),
  );
});

test("the check of a file finds the same components to be unknown, wrong or missing", async () => {
  const definitions = [...shape, define("must", "singleLine", { required: true })];
  const rules = compileContent(definitions);
  const oddWithin = fc.oneof(
    odd,
    odd.map((componentChoice) => ({ componentId: "one", componentChoice })),
    fc.uniqueArray(odd, { selector: byId, maxLength: 2 }).map((components) => ({
      componentId: "card",
      piece: { identifier: components.length === 1 ? "cart" : "card", components },
    })),
  );
  const mixed = fc.uniqueArray(
    fc.oneof(
      whole.map(([first]) => first ?? { componentId: "none" }),
      oddWithin,
    ),
    {
      selector: byId,
      maxLength: 6,
    },
  );
  const atOnce = [
    "UnknownComponent",
    "WrongComponentType",
    "NoContent",
    "RequiredComponentMissing",
    "WrongPiece",
  ];
  await fc.assert(
    fc.asyncProperty(mixed, async (components) => {
      const { errors } = rules.validate(components as ComponentContent[], {
        complete: true,
        pieces: (identifier) => pieces.get(identifier),
      });
      const { issues, errorCount } = await checkFile([
        { intent: "piece/create", identifier: "card", name: "Card", components: leaves },
        {
          intent: "shape/create",
          identifier: "page",
          name: "Page",
          type: "document",
          components: definitions,
        },
        {
          ...{ intent: "document/create", language: "en", name: "n", shapeIdentifier: "page", components },
          tree: { parentId: "0123456789abcdef01234567" },
        },
      ]);
      fc.pre(errorCount === 0);
      const known = ({ code }: { code: string }) => atOnce.includes(code);
      const told = (code: string, place: string, message: string) => `${place} ${code} ${message}`;
      expect(
        issues
          .filter(known)
          .map(({ code, pointer, message }) => told(code, pointer, message))
          .sort(),
      ).toEqual(
        errors
          .filter(known)
          .map(({ code, path, message }) => told(code, `/operations/2${toPointer(path)}`, message))
          .sort(),
      );
    }),
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
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 12 }), (digits, places) => {
      const number = Number(`${digits}e-${places}`);
      const written = number.toFixed(20).replace(/0+$/, "");
      expect(decimalPlaces(number)).toBeLessThanOrEqual(places);
      expect(decimalPlaces(number)).toBeLessThanOrEqual(written.split(".")[1]?.length ?? 0);
      expect(Number(number.toFixed(decimalPlaces(number)))).toBe(number);
    }),
  );
});
