import { OperationsSchema } from "@crystallize/schema/mass-operation";
import * as published from "@crystallize/schema/pim";
import {
  type ComponentType,
  checkOperation,
  componentTypes,
  type Intent,
  parsePayload,
} from "@lading/schema/internal";
import { beforeAll, describe, expect, test } from "vitest";
import {
  publicDump,
  type ResolvedDefinition,
  type ResolvedShape,
} from "../../../../test/support/postgres/public-dump.ts";
import { executeCommand } from "../../src/commands/execute.ts";
import { Rejection } from "../../src/errors.ts";
import { operator } from "../../src/tenants/audit.ts";
import { useApi } from "../http/support.ts";

const limits = { min: 1, max: null };
const common = { multilingual: true, required: true, discoverable: false };
const inner = [
  { id: "text", name: "Text", type: "singleLine", config: { singleLine: { required: true, pattern: "^a" } } },
  { id: "bare", name: "Bare", type: "numeric" },
];

/** Settings for every type, each setting used once. */
const settings: Record<ComponentType, object> = {
  boolean: common,
  colors: {
    ...common,
    ...limits,
    requireLabel: true,
    customColorSpaces: ["hex"],
    colorPresets: [{ hex: "#fff" }],
  },
  componentChoice: { ...common, choices: inner },
  componentMultipleChoice: { ...common, choices: inner, allowDuplicates: true },
  contentChunk: { ...common, components: inner, repeatable: true },
  datetime: common,
  files: {
    ...{ ...common, ...limits, maxFileSize: { size: 2, unit: "MiB" } },
    acceptedContentTypes: [{ contentType: "image/png", extensionLabel: ".png" }],
  },
  gridRelations: { ...common, ...limits },
  images: { ...common, ...limits },
  itemRelations: {
    ...common,
    minItems: 1,
    maxSkus: 3,
    acceptedShapeIdentifiers: ["all"],
    quickSelect: { folders: [] },
  },
  location: common,
  numeric: { ...common, decimalPlaces: 2, units: ["kg", "g"] },
  paragraphCollection: { required: true, multilingual: ["body", "title"] },
  piece: { ...common, identifier: "leaf" },
  propertiesTable: { ...common, sections: [{ title: "Size", keys: ["w", "h"] }] },
  richText: { ...common, min: 0, max: 9 },
  selection: { ...common, ...limits, options: [{ key: "a", value: "A", isPreselected: true }] },
  singleLine: { ...common, ...limits, pattern: "^x$" },
  videos: { ...common, ...limits },
};

const structural = ["componentChoice", "componentMultipleChoice", "contentChunk"];
const nestable = componentTypes.filter((type) => !structural.includes(type));
const needSettings = ["piece", "selection", ...structural];

const configured = (type: ComponentType) => ({
  ...{ id: type, name: `The ${type}`, type, description: "described" },
  config: { [type]: settings[type] },
});
const bare = (type: ComponentType) => ({ id: `bare-${type}`, name: type, type });
const bareTypes = componentTypes.filter((type) => !needSettings.includes(type));
const nested = [...nestable.map(configured), ...bareTypes.map(bare)];

const chunk = {
  id: "chunk",
  name: "Chunk",
  type: "contentChunk",
  config: { contentChunk: { components: nested } },
};
const choice = {
  id: "one",
  name: "One",
  type: "componentChoice",
  config: { componentChoice: { choices: nested } },
};
const all = [...componentTypes.map(configured), ...bareTypes.map(bare), chunk, choice];

/** Everything at the top, in a chunk and a choice, and again in a piece used by a piece. */
const model: [Intent, Record<string, unknown>][] = [
  ["piece/create", { identifier: "leaf", name: "Leaf", components: inner }],
  ["piece/create", { identifier: "all-of-it", name: "All", components: all }],
  [
    "piece/create",
    {
      ...{ identifier: "around", name: "Around" },
      components: [{ id: "p", name: "P", type: "piece", config: { piece: { identifier: "all-of-it" } } }],
    },
  ],
  [
    "shape/create",
    {
      ...{ identifier: "all", name: "All", type: "product", variantComponents: all },
      components: [...all, { id: "p", type: "piece", piece: { identifier: "around", required: true } }],
    },
  ],
];

/** The schemas by which the published package reads settings, where their name is not that of the type. */
const readBy: Partial<Record<ComponentType, { parse(value: unknown): unknown }>> = {
  componentChoice: published.ChoiceConfigSchema,
  componentMultipleChoice: published.MultipleChoicesConfigSchema,
  contentChunk: published.ChunksConfigSchema,
  // Its read schema wants one part instead of the list that its input schema and the dump's check want.
  paragraphCollection: published.ParagraphCollectionConfigInputSchema,
};
const schemaOf = (type: ComponentType) =>
  readBy[type] ??
  (published as unknown as Record<string, { parse(value: unknown): unknown }>)[
    `${type[0]!.toUpperCase()}${type.slice(1)}ConfigSchema`
  ]!;

/** Parses every definition at every depth; answers how many of each type had settings. */
function parseAll(
  definitions: readonly ResolvedDefinition[],
  seen: Map<string, number>,
): Map<string, number> {
  for (const { config, ...definition } of definitions) {
    published.ComponentDefinitionSchema.parse(definition);
    if (config === undefined) continue;
    const { components, choices } = config;
    schemaOf(definition.type).parse({
      ...config,
      ...(components && { components: [] }),
      ...(choices && { choices: [] }),
    });
    seen.set(definition.type, (seen.get(definition.type) ?? 0) + 1);
    parseAll(components ?? choices ?? [], seen);
  }
  return seen;
}

interface Written {
  operations: { intent: Intent }[];
}

describe("the resolved configuration of every component type", () => {
  let shapes: ResolvedShape[];

  const run = async (intent: Intent, written: object) => {
    const parsed = parsePayload(intent, written);
    if ("errors" in parsed) throw new Error(JSON.stringify(parsed.errors));
    const result = await executeCommand(
      api,
      { tenant: api.shop.tenant, actor: operator },
      intent,
      parsed.payload,
    );
    if (result instanceof Rejection)
      throw new Error(`${intent}: ${result.message} ${JSON.stringify(result.errors)}`);
    return result.action;
  };

  const api = useApi();
  beforeAll(async () => {
    for (const [intent, payload] of model) await run(intent, payload);
    const answer = await api.data(
      "{ shapes { edges { node { identifier name type resolvedConfiguration } } } }",
    );
    shapes = answer.shapes.edges.map(({ node }: { node: ResolvedShape }) => node);
  });

  test("the published schemas can read the resolved configuration at every depth, with all settings", () => {
    const { components, variantComponents } = shapes[0]!.resolvedConfiguration;
    const seen = parseAll([...components, ...variantComponents!], new Map());
    expect([...seen.keys()].sort()).toEqual([...componentTypes].sort());
    expect(seen.get("files")).toBe(9);
    const { config: own } = components.find(({ id }) => id === "numeric")!;
    expect(own).toEqual(settings.numeric);
  });

  test("the resolved configuration comes back as a file that changes nothing", async () => {
    const { pieces } = await api.data("{ pieces { edges { node { identifier name } } } }");
    const names = pieces.edges.map(({ node }: { node: { identifier: string; name: string } }) => [
      node.identifier,
      node.name,
    ]);
    const content = { version: "0.0.1", operations: publicDump(shapes, new Map(names)) };
    const check: { parse(value: unknown): unknown } = OperationsSchema;
    const file = check.parse(JSON.parse(JSON.stringify(content))) as Written;
    expect(file.operations.flatMap((operation) => checkOperation(operation).warnings)).toEqual([]);
    const actions = [];
    for (const { intent, ...payload } of file.operations) actions.push(await run(intent, payload));
    expect(actions).toEqual(["unchanged", "unchanged", "unchanged", "unchanged"]);
  });

  test("the resolved configuration has settings where a client reads them, and under GraphQL's own types", async () => {
    const { components } = shapes[0]!.resolvedConfiguration;
    expect(components.find(({ id }) => id === "bare-itemRelations")).toMatchObject({ config: {} });
    expect(components.find(({ id }) => id === "bare-singleLine")).not.toHaveProperty("config");
    const { shape } = await api.data(`{ shape(identifier: "all") { ... on Shape { components { id config {
      ... on ItemRelationsComponentConfig { acceptedShapeIdentifiers }
      ... on ContentChunkComponentConfig { repeatable } } } } ... on BasicError { message } } }`);
    const configOf = (id: string) =>
      shape.components.find((component: { id: string }) => component.id === id).config;
    expect(configOf("bare-itemRelations")).toEqual({ acceptedShapeIdentifiers: null });
    expect([configOf("chunk"), configOf("contentChunk")]).toEqual([
      { repeatable: false },
      { repeatable: true },
    ]);
  });
});
