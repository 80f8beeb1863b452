import { z } from "zod";
import { intentNames } from "../intents.ts";
import { type JsonSchema, jsonSchemaOf } from "../operation/json-schema.ts";

export const columnTypes = ["text", "number", "boolean", "date", "list"] as const;

export type ColumnType = (typeof columnTypes)[number];

const type = <T extends ColumnType>(name: T) => z.literal(name).describe("The type of the column's cells");

const typedEmpty = z
  .enum(["omit", "null", "refuse"])
  .optional()
  .describe("What an empty cell becomes: its field is left out (default), is null, or it is an error");

const texts = z.array(z.string()).min(1).optional();

const text = z
  .strictObject({
    type: type("text"),
    trim: z.boolean().optional().describe("True takes white space away from both ends of a cell"),
    empty: z
      .enum(["keep", "omit", "null", "refuse"])
      .optional()
      .describe(
        "What an empty cell becomes: empty text (default), its field is left out, is null, or it is an error",
      ),
  })
  .describe("Text, as it is in the cell");

const number = z
  .strictObject({
    type: type("number"),
    decimal: z.enum([".", ","]).optional().describe("The mark before the decimals. Default: a point"),
    thousands: z
      .enum([".", ",", " ", "'"])
      .optional()
      .describe("The mark between groups of three digits. Default: none is accepted"),
    empty: typedEmpty,
  })
  .describe("A number");

const boolean = z
  .strictObject({
    type: type("boolean"),
    true: texts.describe("The texts that mean true, in any case. Default: true, yes, 1"),
    false: texts.describe("The texts that mean false, in any case. Default: false, no, 0"),
    empty: typedEmpty,
  })
  .describe("True or false");

const date = z
  .strictObject({
    type: type("date"),
    format: z
      .string()
      .min(1)
      .optional()
      .describe("How the cells are written, such as DD.MM.YYYY or M/D/YYYY HH:mm. Default: ISO 8601"),
    zone: z
      .string()
      .regex(/^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/, {
        error: 'expected a time zone: "Z", or such as "+02:00"',
      })
      .optional()
      .describe("The time zone of cells that name none: Z (default), or such as +02:00"),
    empty: typedEmpty,
  })
  .describe("A date, or a date with a time. It becomes a date and time in UTC");

const list = z
  .strictObject({
    type: type("list"),
    separator: z.string().min(1).describe("The text between two entries, such as | or a comma"),
    empty: z
      .enum(["omit", "null", "refuse", "keep"])
      .optional()
      .describe(
        "What a cell without entries becomes: its field is left out (default), is null, it is an error, or an empty list",
      ),
  })
  .describe("A list of texts, without white space around them. Empty entries are left out");

export const columnSchemas = { text, number, boolean, date, list } as const;

export type ColumnSettings = {
  [T in ColumnType]: z.infer<(typeof columnSchemas)[T]>;
}[ColumnType];

const values = z.union([z.string(), z.array(z.string()).min(1)]);

/** The condition that a cell must meet. */
export const conditionSchema = z.union([
  z.string().describe("The cell is this text"),
  z.array(z.string()).min(1).describe("The cell is one of these texts"),
  z.strictObject({ not: values }).describe("The cell is none of these texts"),
]);

export type Condition = z.infer<typeof conditionSchema>;

/** Conditions by the name of the column: all must be met. */
export type Conditions = Readonly<Record<string, Condition>>;

/** The map, except for its `columns`, `when`, `constants` and operations. */
export const mapShape = z.strictObject({
  $schema: z.string().optional().describe("URL of the JSON Schema that editors use to complete the map"),
  columns: z
    .unknown()
    .optional()
    .describe("Types of columns by their names. A column that is not here is text"),
  constants: z.unknown().optional().describe("Values that texts of operations read as [[$name]]"),
  when: z.unknown().optional().describe("Conditions by column: other rows are left out"),
  groupBy: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe("Columns: rows next to each other with the same cells in them become one operation"),
  before: z
    .array(z.unknown())
    .optional()
    .describe("Operations that are written once, as they are, before those of the rows"),
  operations: z
    .array(z.unknown())
    .min(1)
    .describe("Templates of operations: each row, or group of rows, becomes one of each"),
});

/** A map: how the rows of a table become operations. */
export interface ConversionMap {
  readonly columns: Readonly<Record<string, ColumnSettings>>;
  readonly constants: Readonly<Record<string, unknown>>;
  readonly when: Conditions;
  /** Empty where each row is an operation. */
  readonly groupBy: readonly string[];
  readonly before: readonly object[];
  readonly operations: readonly Readonly<Record<string, unknown>>[];
}

/** Keys of objects in an operation that are instructions, not fields. */
export const directives = { each: "$each", when: "$when" } as const;

/** The JSON Schema of maps, for editors. */
function conversionMapJsonSchema(): JsonSchema {
  const { properties, ...schema } = jsonSchemaOf(mapShape);
  const column = { anyOf: [{ enum: [...columnTypes] }, ...Object.values(columnSchemas).map(definition)] };
  const conditions: JsonSchema = { type: "object", additionalProperties: definition(conditionSchema) };
  const operation: JsonSchema = {
    type: "object",
    required: ["intent"],
    properties: {
      intent: { description: "What the operation does", enum: [...intentNames] },
      [directives.when]: { description: "Conditions by column, as in the map", ...conditions },
    },
  };
  return {
    title: "Conversion map",
    ...schema,
    properties: {
      ...properties,
      columns: { ...properties?.columns, type: "object", additionalProperties: column },
      constants: { ...properties?.constants, type: "object" },
      when: { ...properties?.when, ...conditions },
      before: { ...properties?.before, items: { type: "object", required: ["intent"] } },
      operations: { ...properties?.operations, items: operation },
    },
  };
}

function definition(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = jsonSchemaOf(schema);
  return rest;
}

/** The text of `conversion-map.schema.json`, the file that the package ships. */
export const conversionMapJsonSchemaText = (): string =>
  `${JSON.stringify(conversionMapJsonSchema(), null, 1)}\n`;

export const conversionMapSchemaFile = new URL("../../conversion-map.schema.json", import.meta.url);
