import { z } from "zod";
import { intentNames } from "../intents.ts";
import { type JsonSchema, jsonSchemaOf } from "../operation/json-schema.ts";
import { fileLimits } from "../operation-file/read/limits.ts";

export const columnTypes = ["text", "number", "boolean", "date", "list", "json"] as const;

export type ColumnType = (typeof columnTypes)[number];

const type = <T extends ColumnType>(name: T) => z.literal(name).describe("The type of the column's cells");

const typedEmpty = z
  .enum(["omit", "null", "refuse"])
  .optional()
  .describe("What an empty cell becomes: its field is left out (default), is null, or it is an error");

const texts = z.array(z.string()).min(1).optional();

const replace = z
  .record(z.string(), z.string())
  .refine((texts) => !Object.hasOwn(texts, ""), { error: "empty text cannot be replaced" })
  .optional()
  .describe("Texts to replace wherever they are in a cell, before anything else. The longest that fits wins");

const path = {
  path: z
    .array(z.union([z.string(), z.int().min(0)]))
    .min(1)
    .max(fileLimits.depth)
    .optional()
    .describe("The keys that lead to the value to read, where a cell is an object or a list of JSON"),
};

/** Settings of cells that are one value. */
const single = {
  ...path,
  replace,
  values: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable())
    .optional()
    .describe("Values by the whole text of a cell. Other cells are read as the type says"),
  lookup: z
    .strictObject({
      table: z.string().describe("The name of a table of the map"),
      column: z.string().describe("Its column to read, in the row whose key is the cell"),
    })
    .optional()
    .describe("Reads a cell of another table in place of the cell, as the type says"),
  missing: z
    .enum(["keep", "omit", "null", "refuse"])
    .optional()
    .describe(
      "What a cell becomes that the table of `lookup` or, without one, `values` lacks: itself (default with " +
        "`values`), its field is left out, is null, or it is an error (default with `lookup`)",
    ),
};

const keptEmpty = z
  .enum(["omit", "null", "refuse", "keep"])
  .optional()
  .describe(
    "What an empty cell becomes: its field is left out (default), is null, it is an error, or empty text",
  );

const scale = z.number().refine((number) => number !== 0, { error: "expected a number other than 0" });

/** The settings of cells, and of the entries of a list, by their type. */
export const cellSchemas = {
  text: z.strictObject({
    type: type("text"),
    trim: z.boolean().optional().describe("True takes white space away from both ends of a cell"),
    empty: keptEmpty,
    texts: z
      .string()
      .optional()
      .describe(
        "Of an object or a list of JSON, the texts under this key at any depth: those of neighbours are one line",
      ),
    ...single,
  }),
  number: z.strictObject({
    type: type("number"),
    decimal: z.enum([".", ","]).optional().describe("The mark before the decimals. Default: a point"),
    thousands: z
      .enum([".", ",", " ", "'"])
      .optional()
      .describe("The mark between groups of three digits. Default: none is accepted"),
    factor: scale.optional().describe("The number is multiplied by it, exactly: cents by 0.01"),
    divisor: scale.optional().describe("The number is divided by it, and rounded"),
    round: z
      .int()
      .min(0)
      .max(15)
      .optional()
      .describe("The decimals that the number is rounded to, half of the last one away from zero"),
    empty: typedEmpty,
    ...single,
  }),
  boolean: z.strictObject({
    type: type("boolean"),
    true: texts.describe("The texts that mean true, in any case. Default: true, yes, 1"),
    false: texts.describe("The texts that mean false, in any case. Default: false, no, 0"),
    empty: typedEmpty,
    ...single,
  }),
  date: z.strictObject({
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
    ...single,
  }),
  list: z.strictObject({
    type: type("list"),
    separator: z.string().min(1).describe("The text between two entries, such as | or a comma"),
    entries: z
      .unknown()
      .optional()
      .describe("The type of the entries, or their settings. Default: text. They may be lists, too"),
    empty: z
      .enum(["omit", "null", "refuse", "keep"])
      .optional()
      .describe(
        "What a cell without entries becomes: its field is left out (default), is null, it is an error, or an empty list",
      ),
    replace,
    ...path,
  }),
  json: z.strictObject({ type: type("json"), empty: typedEmpty, ...path }),
} as const;

const from = {
  from: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe(
      "The table's column to read, where it is not the one of this name: a column may be read twice. Of a list, " +
        "the first name that the table has",
    ),
  optional: z
    .boolean()
    .optional()
    .describe("True where a table may lack the column. Its cells are empty then"),
};

export const columnSchemas = {
  text: cellSchemas.text.extend(from).describe("Text, as it is in the cell"),
  number: cellSchemas.number.extend(from).describe("A number"),
  boolean: cellSchemas.boolean.extend(from).describe("True or false"),
  date: cellSchemas.date
    .extend(from)
    .describe("A date, or a date with a time. It becomes a date and time in UTC"),
  list: cellSchemas.list
    .extend(from)
    .describe("A list, whose entries have no white space around them. Empty ones are left out"),
  json: cellSchemas.json.extend(from).describe("JSON: an object, a list or any other value"),
} as const;

type Settings<Schemas extends Readonly<Record<ColumnType, z.ZodType>>> =
  | Exclude<z.infer<Schemas[ColumnType]>, { type: "list" }>
  | (z.infer<Schemas["list"]> & { entries?: CellSettings });

/** The settings of cells, or of the entries of a list, in their full form. */
export type CellSettings = Settings<typeof cellSchemas>;

export type ColumnSettings = Settings<typeof columnSchemas>;

const values = z.union([z.string(), z.array(z.string()).min(1)]);

/** Names of comparisons with a number or a date, in conditions. */
export const comparisons = ["above", "atLeast", "below", "atMost"] as const;

const operand = z.union([z.number(), z.string()]).optional();

/** Conditions of one cell that are more than a choice of texts. */
export const comparisonSchema = z.strictObject({
  not: values.optional().describe("The cell is none of these texts"),
  above: operand.describe("The cell is greater than this number, or later than this date"),
  atLeast: operand.describe("The cell is this number or greater, or this date or later"),
  below: operand.describe("The cell is less than this number, or earlier than this date"),
  atMost: operand.describe("The cell is this number or less, or this date or earlier"),
} satisfies Record<"not" | (typeof comparisons)[number], z.ZodType>);

/** The condition that a cell must meet. */
export const conditionSchema = z.union([
  z.string().describe("The cell is this text"),
  z.array(z.string()).min(1).describe("The cell is one of these texts"),
  comparisonSchema,
]);

export type Condition = z.infer<typeof conditionSchema>;

/** Conditions by the name of the column: all must be met. */
export type Conditions = Readonly<Record<string, Condition>>;

export const tableSchema = z
  .strictObject({ key: z.string().describe("Its column that `lookup` searches. No key is there twice") })
  .describe("A further table, which columns look up values in");

const exportedSchema = z
  .strictObject({
    column: z.string().describe("The column with the marks of the exported cells"),
    of: z
      .array(z.string())
      .min(1)
      .refine((names) => new Set(names).size === names.length, { error: "expected each column once" })
      .describe("The columns whose cells may be edited, in the order of their marks"),
  })
  .optional()
  .describe("The table was exported: a cell that was not edited since is absent");

/** The map, except for its `columns`, `when`, `constants` and operations. */
export const mapShape = z.strictObject({
  $schema: z.string().optional().describe("URL of the JSON Schema that editors use to complete the map"),
  columns: z
    .unknown()
    .optional()
    .describe("Types of columns by their names. A column that is not here is text"),
  tables: z.unknown().optional().describe("Further tables by name, given as --table NAME=FILE"),
  constants: z.unknown().optional().describe("Values that texts of operations read as [[$name]]"),
  when: z.unknown().optional().describe("Conditions by column: other rows are left out"),
  exported: exportedSchema,
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
  readonly tables: Readonly<Record<string, z.infer<typeof tableSchema>>>;
  readonly constants: Readonly<Record<string, unknown>>;
  readonly when: Conditions;
  readonly exported: z.infer<typeof exportedSchema>;
  /** Empty where each row is an operation. */
  readonly groupBy: readonly string[];
  readonly before: readonly object[];
  readonly operations: readonly Readonly<Record<string, unknown>>[];
}

/** Keys of objects in an operation that are instructions, not fields. */
export const directives = {
  each: "$each",
  when: "$when",
  else: "$else",
  value: "$value",
  distinct: "$distinct",
  edited: "$edited",
} as const;

/** The name after `$` by which cells of the group's first row are read, as constants are. */
export const firstRow = "first";

/** The JSON Schema of maps, for editors. */
function conversionMapJsonSchema(): JsonSchema {
  const { properties, ...schema } = jsonSchemaOf(mapShape);
  const conditions: JsonSchema = { type: "object", additionalProperties: definition(conditionSchema) };
  const names: JsonSchema = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
  const operation: JsonSchema = {
    type: "object",
    required: ["intent"],
    properties: {
      intent: { description: "What the operation does", enum: [...intentNames] },
      [directives.when]: { description: "Conditions by column, as in the map", ...conditions },
      [directives.distinct]: {
        description: "A column, or several: one operation for each distinct value, before those that use it",
        ...names,
      },
      [directives.edited]: {
        description: "Exported columns: the operation is written only where one of their cells was edited",
        ...names,
      },
    },
    additionalProperties: reference("value"),
  };
  return {
    title: "Conversion map",
    ...schema,
    properties: {
      ...properties,
      columns: { ...properties?.columns, type: "object", additionalProperties: typed(columnSchemas) },
      tables: { ...properties?.tables, type: "object", additionalProperties: definition(tableSchema) },
      constants: { ...properties?.constants, type: "object" },
      when: { ...properties?.when, ...conditions },
      before: { ...properties?.before, items: { type: "object", required: ["intent"] } },
      operations: { ...properties?.operations, items: operation },
    },
    definitions: { entries: typed(cellSchemas), value: valueDefinition(conditions) },
  };
}

/** Any value in an operation. */
const valueDefinition = (conditions: JsonSchema): JsonSchema => ({
  type: ["array", "object", "string", "number", "boolean", "null"],
  items: reference("value"),
  properties: {
    [directives.each]: {
      description: '"row" for an entry of each row of the group, or a list column for one of each entry',
      type: "string",
    },
    [directives.when]: { description: "Conditions by column, as in the map", ...conditions },
    [directives.else]: {
      description: "The value where the conditions are not met. Default: none, the field is left out",
      allOf: [reference("value")],
    },
    [directives.value]: {
      description: "The value that stands here, in place of an object with fields",
      allOf: [reference("value")],
    },
  },
  additionalProperties: reference("value"),
});

const reference = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });

/** A type alone, or settings with a type. */
function typed(schemas: Readonly<Record<ColumnType, z.ZodType>>): JsonSchema {
  const settings = columnTypes.map((type) => definition(schemas[type]));
  for (const { properties } of settings)
    if (properties?.entries !== undefined) properties.entries.allOf = [reference("entries")];
  return { anyOf: [{ enum: [...columnTypes] }, ...settings] };
}

function definition(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = jsonSchemaOf(schema);
  return rest;
}

/** The text of `conversion-map.schema.json`, the file that the package ships. */
export const conversionMapJsonSchemaText = (): string =>
  `${JSON.stringify(conversionMapJsonSchema(), null, 1)}\n`;

export const conversionMapSchemaFile = new URL("../../conversion-map.schema.json", import.meta.url);
