import { z } from "zod";

type Schema = z.core.$ZodType;

/** Every field of a schema with its type and limits, one per line, such as `/sku: string length≥1`. */
export function fieldsOf(schema: Schema): string[] {
  const lines: string[] = [];
  collect(schema, "", "", [], lines);
  return lines.sort();
}

/** A recursive schema is followed until it recurs. */
function collect(schema: Schema, path: string, absence: string, outer: Schema[], lines: string[]): void {
  const objects = objectsIn(schema);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const mark = schema instanceof z.ZodOptional ? "?" : "∅";
    collect(schema.unwrap(), path, absence.includes(mark) ? absence : absence + mark, outer, lines);
  } else if (schema instanceof z.ZodPipe) {
    collect(schema.out, path, absence, outer, lines);
  } else if (objects.length > 0) {
    const strict = objects.some(({ def }) => def.catchall instanceof z.ZodNever) ? "strict " : "";
    lines.push(`${path}: ${strict}object ${absence}`);
    const members = objects.flatMap(({ shape }) => Object.entries(shape));
    if (outer.includes(schema)) return;
    for (const [key, member] of members) collect(member, `${path}/${key}`, "", [...outer, schema], lines);
  } else {
    lines.push(`${path}: ${nameOf(schema)} ${absence}`);
    if (schema instanceof z.ZodArray) collect(schema.element, `${path}/*`, "", outer, lines);
  }
}

/** An object, or the objects that a value must satisfy together. */
function objectsIn(schema: Schema): z.ZodObject[] {
  if (schema instanceof z.ZodIntersection)
    return [...objectsIn(schema.def.left), ...objectsIn(schema.def.right)];
  return schema instanceof z.ZodObject ? [schema] : [];
}

function nameOf(schema: Schema): string {
  const { type, checks = [] } = schema._zod.def;
  const name = type === "any" ? "unknown" : type;
  const values = schema instanceof z.ZodEnum ? [...schema.options].sort().join("|") : "";
  const limits = [schema, ...checks].flatMap(limitsOf).sort().join(" ");
  return [name, values, limits].filter((text) => text !== "").join(" ");
}

function limitsOf(part: Schema | z.core.$ZodCheck<never>): string[] {
  if (part instanceof z.core.$ZodCheckMinLength) return [`length≥${part._zod.def.minimum}`];
  if (part instanceof z.core.$ZodCheckMaxLength) return [`length≤${part._zod.def.maximum}`];
  if (part instanceof z.core.$ZodCheckGreaterThan) {
    const { inclusive, value } = part._zod.def;
    return [`${inclusive ? "≥" : ">"}${value}`];
  }
  const hasFormat =
    part instanceof z.core.$ZodCheckStringFormat || part instanceof z.core.$ZodCheckNumberFormat;
  return hasFormat ? [part._zod.def.format] : [];
}
