import { z } from "zod";
import { componentDefinition } from "./components/component.ts";
import { type ComponentType, componentTypes } from "./components/types.ts";
import type { PayloadError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import { fileScalars } from "./scalars.ts";

/** The fields of a value that its schema does not know, wherever they are. Those of strict objects are left out. */
export function unknownFields(schema: z.ZodType, value: unknown): PayloadError[] {
  const found: PayloadError[] = [];
  visit(schema, value, [], found);
  return found;
}

function visit(schema: z.ZodType, value: unknown, path: PayloadError["path"], found: PayloadError[]): void {
  const expected = unwrap(schema, value);
  if (expected instanceof z.ZodArray && Array.isArray(value)) {
    const element = expected.element as z.ZodType;
    value.forEach((member, index) => {
      visit(element, member, [...path, index], found);
    });
  }
  if (!(expected instanceof z.ZodObject) || !isObject(value)) return;
  if (schema === componentDefinition(fileScalars)) found.push(...unusedSettings(value, path));
  const { shape } = expected;
  for (const [key, member] of Object.entries(value)) {
    if (Object.hasOwn(shape, key)) visit(shape[key] as z.ZodType, member, [...path, key], found);
    else if (!isStrict(expected)) found.push(unknownField(key, Object.keys(shape), [...path, key]));
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const isStrict = (schema: z.ZodObject) => schema.def.catchall instanceof z.ZodNever;

/** The object or list inside of optional, nullable and union, of the kind that the value is. */
function unwrap(schema: z.ZodType, value: unknown): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap() as z.ZodType, value);
  }
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options = schema.options.map((option) => unwrap(option as z.ZodType, value));
  return options.find((option) => option instanceof z.ZodArray === Array.isArray(value)) ?? schema;
}

/** Settings of another type than the component's own: they are valid, and without effect. */
function unusedSettings(definition: Record<string, unknown>, path: PayloadError["path"]): PayloadError[] {
  const { type, config } = definition;
  if (!componentTypes.includes(type as ComponentType)) return [];
  const inConfig = isObject(config) ? Object.keys(config).map((key) => ["config", key]) : [];
  const inline = Object.keys(definition).map((key) => [key]);
  const overridden = isObject(config) && Object.hasOwn(config, type as string);
  return [...inline, ...inConfig]
    .filter((at) => componentTypes.includes(at.at(-1) as ComponentType))
    .filter((at) => at.at(-1) !== type || (at.length === 1 && overridden))
    .map((at) => ({
      code: "UnusedField",
      message: unusedMessage(at, type as string),
      path: [...path, ...at],
    }));
}

function unusedMessage(at: string[], type: string): string {
  if (at.at(-1) === type) return `not used: the settings in "config" count`;
  return `not used: the component is of type "${type}"`;
}

/** The error or warning for a field that does not exist: it names the nearest ones that do. */
export function unknownField(
  name: string,
  known: readonly string[],
  path: PayloadError["path"],
): PayloadError {
  const candidates = nearest(name, known);
  const names = (candidates.length > 0 ? candidates : known).map((field) => `"${field}"`).join(", ");
  const hint = candidates.length > 0 ? `did you mean ${names}?` : `known here: ${names}`;
  return { code: "UnknownField", message: `not a known field; ${hint}`, path };
}

/** The field names of the object at a path, none if there is no object. */
export function fieldsAt(schema: z.ZodType, value: unknown, path: PayloadError["path"]): string[] {
  let [at, here] = [unwrap(schema, value), value];
  for (const key of path) {
    here = (here as Record<string | number, unknown> | undefined)?.[key];
    const inner =
      at instanceof z.ZodArray ? at.element : at instanceof z.ZodObject ? at.shape[key] : undefined;
    if (inner === undefined) return [];
    at = unwrap(inner as z.ZodType, here);
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}
