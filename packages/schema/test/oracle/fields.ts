import type { z } from "zod";

type Def = z.core.$ZodTypeDef & Record<string, unknown>;
const defOf = (schema: unknown) => (schema as { _zod: { def: Def } })._zod.def;

/** Every field of a schema with its type and limits, one a line, such as `/sku: string length≥1`. */
export function fieldsOf(schema: unknown): string[] {
  const lines: string[] = [];
  collect(schema, "", "", [], lines);
  return lines.sort();
}

/** A schema that contains itself is followed until it comes up again. */
function collect(schema: unknown, path: string, absence: string, outer: unknown[], lines: string[]): void {
  const def = defOf(schema);
  const objects = objectsIn(schema);
  if (def.type === "optional" || def.type === "nullable") {
    const mark = def.type === "optional" ? "?" : "∅";
    collect(def.innerType, path, absence.includes(mark) ? absence : absence + mark, outer, lines);
  } else if (def.type === "pipe") {
    collect(def.out, path, absence, outer, lines);
  } else if (objects.length > 0) {
    const strict = objects.some(({ catchall }) => catchall && defOf(catchall).type === "never")
      ? "strict "
      : "";
    lines.push(`${path}: ${strict}object ${absence}`);
    const members = objects.flatMap(({ shape }) => Object.entries(shape as object));
    if (outer.includes(schema)) return;
    for (const [key, member] of members) collect(member, `${path}/${key}`, "", [...outer, schema], lines);
  } else {
    lines.push(`${path}: ${nameOf(def)} ${absence}`);
    if (def.type === "array") collect(def.element, `${path}/*`, "", outer, lines);
  }
}

/** An object, or the objects of which a value must be at once. */
function objectsIn(schema: unknown): Def[] {
  const def = defOf(schema);
  if (def.type === "intersection") return [...objectsIn(def.left), ...objectsIn(def.right)];
  return def.type === "object" ? [def] : [];
}

function nameOf(def: Def): string {
  const type = def.type === "any" ? "unknown" : def.type;
  const values =
    def.type === "enum"
      ? Object.values(def.entries as object)
          .sort()
          .join("|")
      : "";
  const checks = ((def.checks ?? []) as unknown as { _zod: { def: Def } }[]).map(
    (check) => check._zod.def as Def,
  );
  const limits = [def, ...checks].flatMap(limitsOf).sort().join(" ");
  return [type, values, limits].filter((text) => text !== "").join(" ");
}

function limitsOf({ check, ...def }: Def): string[] {
  if (check === "min_length") return [`length≥${def.minimum}`];
  if (check === "max_length") return [`length≤${def.maximum}`];
  if (check === "greater_than") return [`${def.inclusive ? "≥" : ">"}${def.value}`];
  return typeof def.format === "string" ? [def.format] : [];
}
