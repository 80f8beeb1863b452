import type { ComponentDefinition, ComponentType } from "@lading/schema/internal";
import fc from "fast-check";
import { isComponentType } from "../../../packages/schema/src/components/types.ts";

/** A content model as it is written: pieces use earlier pieces only, shapes accept any shape. */
export interface WrittenModel {
  pieces: { identifier: string; name: string; components: ComponentDefinition[] }[];
  shapes: {
    identifier: string;
    name: string;
    type: "product" | "document" | "folder";
    meta?: { key: string; value?: string | null };
    components: ComponentDefinition[];
    variantComponents?: ComponentDefinition[];
  }[];
}

/** Text with what templates and their escapes are made of. */
const hardText = fc
  .array(
    fc.constantFrom("{{", "}}", "{", "}", "\\", "\\\\", "a", " ", "\n", "{{!", "{{{{raw}}}}", "ü", '"'),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));
const name = hardText.map((text) => `n${text}`);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const common = {
  multilingual: optional(fc.boolean()),
  required: optional(fc.boolean()),
  discoverable: optional(fc.boolean()),
};
const limits = { min: optional(fc.constantFrom(null, 0, 1)), max: optional(fc.constantFrom(null, 1, 7)) };
const record = <T extends Record<string, fc.Arbitrary<unknown>>>(model: T) =>
  fc.record({ ...common, ...model }).map(withoutUndefined);

/** Removes undefined members, as JSON does. */
const withoutUndefined = <T>(value: T): T => JSON.parse(JSON.stringify(value));

interface Names {
  /** Pieces that may be used here. */
  pieces: readonly string[];
  shapes: readonly string[];
}

/** Arbitraries of settings, by the type of component that has them. */
type Settings = { [T in ComponentType]?: fc.Arbitrary<object | undefined> };

function leafSettings({ pieces, shapes }: Names): Settings {
  const id = fc.constant("00000000000000000000000a");
  return {
    boolean: optional(record({})),
    singleLine: optional(record({ ...limits, pattern: optional(fc.constantFrom("^a+$", "\\d{2}{{x}}")) })),
    richText: optional(record(limits)),
    numeric: optional(record({ decimalPlaces: optional(fc.integer({ min: 1, max: 9 })) })),
    datetime: fc.constant(undefined),
    location: optional(record({})),
    selection: record({
      ...limits,
      options: fc.uniqueArray(fc.record({ key: name, value: hardText }), {
        maxLength: 3,
        selector: ({ key }) => key,
      }),
    }),
    images: optional(record(limits)),
    files: record({
      ...limits,
      maxFileSize: fc.record({ size: fc.integer({ min: 1, max: 5 }), unit: fc.constant("MiB") }),
    }),
    itemRelations: optional(
      record({
        minItems: limits.min,
        maxItems: limits.max,
        acceptedShapeIdentifiers: optional(fc.subarray([...shapes])),
        quickSelect: optional(
          fc.record({ folders: fc.array(fc.record({ folderId: id }), { maxLength: 2 }) }),
        ),
      }),
    ),
    propertiesTable: optional(
      record({ sections: fc.array(fc.record({ title: hardText, keys: fc.array(name) }), { maxLength: 2 }) }),
    ),
    paragraphCollection: optional(
      fc.record({ multilingual: fc.subarray(["body", "images", "title", "videos", "structure"]) }),
    ),
    ...(pieces.length > 0 && { piece: record({ identifier: fc.constantFrom(...pieces) }) }),
  };
}

function definitionOf(settings: Settings) {
  return fc
    .constantFrom(...Object.keys(settings).filter(isComponentType))
    .chain((type) =>
      fc.record({
        name,
        description: optional(hardText),
        type: fc.constant(type),
        config: settings[type]!.map((own) => own && { [type]: own }),
      }),
    )
    .map((definition) => withoutUndefined(definition));
}

const listOf = (definition: ReturnType<typeof definitionOf>, minLength: number) =>
  fc
    .array(definition, { minLength, maxLength: 3 })
    .map((list) => list.map((each, index): ComponentDefinition => ({ id: `c${index}`, ...each })));

function components(names: Names): fc.Arbitrary<ComponentDefinition[]> {
  const leaves = leafSettings(names);
  const inside = definitionOf(leaves);
  return listOf(
    definitionOf({
      ...leaves,
      contentChunk: record({ components: listOf(inside, 1), repeatable: optional(fc.boolean()) }),
      componentChoice: record({ choices: listOf(inside, 2) }),
      componentMultipleChoice: record({
        choices: listOf(inside, 1),
        allowDuplicates: optional(fc.boolean()),
      }),
    }),
    0,
  );
}

/** Any content model: cycles through the shapes that relations accept, and through pieces that hold such relations. */
export const contentModels: fc.Arbitrary<WrittenModel> = fc
  .record({ pieces: fc.nat(3), shapes: fc.integer({ min: 1, max: 4 }) })
  .chain(({ pieces, shapes }) => {
    const pieceNames = Array.from({ length: pieces }, (_, i) => `p${pieces - i}`);
    const shapeNames = Array.from({ length: shapes }, (_, i) => `s${i}`);
    return fc.record({
      pieces: fc.tuple(
        ...pieceNames.map((identifier, i) => piece(identifier, pieceNames.slice(0, i), shapeNames)),
      ),
      shapes: fc.tuple(...shapeNames.map((identifier) => shape(identifier, pieceNames, shapeNames))),
    });
  });

const piece = (identifier: string, pieces: readonly string[], shapes: readonly string[]) =>
  fc.record({ identifier: fc.constant(identifier), name, components: components({ pieces, shapes }) });

const shape = (identifier: string, pieces: readonly string[], shapes: readonly string[]) =>
  fc
    .record({
      identifier: fc.constant(identifier),
      name,
      type: fc.constantFrom("product", "document", "folder"),
      meta: optional(fc.record({ key: name, value: optional(fc.option(hardText)) })),
      components: components({ pieces, shapes }),
      variantComponents: components({ pieces, shapes }),
    })
    .map(({ variantComponents, ...rest }) =>
      withoutUndefined({ ...rest, ...(rest.type === "product" && { variantComponents }) }),
    );
