import { flatSettings, settingsSchema } from "../components/component.ts";
import { type ComponentType, componentTypes, isComponentType } from "../components/types.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { toPointer } from "../problems/json-pointer.ts";
import { nearest } from "../problems/nearest.ts";
import { quoted } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { fileScalars } from "../scalars.ts";
import { type Problems, problemLimit, problemsIn } from "../schema-walk/problems-in.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Definition {
  type: string;
  config?: Fields;
}

/**
 * Adds warnings of settings in component definitions: those that nothing reads, because they are of another type than the
 * component's own or because `config` has them as well, and those that old files have directly in `config`. `value` is a
 * valid shape or piece, as written.
 */
export function warnOfSettings(value: object, problems: Problems): void {
  const found: Problem[] = [];
  visitLists(value as Fields, ["components", "variantComponents"], [], found);
  const places = new Set(found.map(({ path }) => toPointer(path)));
  const others = problems.warnings.filter(({ path }) => !places.has(toPointer(path)));
  const named = others.map((problem) => nameSetting(value, problem));
  problems.warnings.splice(0, problems.warnings.length, ...named, ...found);
}

function visitLists(holder: Fields, names: readonly string[], path: JsonPath, found: Problem[]): void {
  for (const name of names) {
    const list = holder[name];
    if (!Array.isArray(list)) continue;
    for (const [index, definition] of list.entries()) {
      if (found.length >= problemLimit) return;
      visitDefinition(definition, [...path, name, index], found);
    }
  }
}

function visitDefinition(definition: Fields & Definition, path: JsonPath, found: Problem[]): void {
  const { type, config = {} } = definition;
  if (!isComponentType(type)) return; // a template: not known yet
  visitSettings(definition, type, Object.hasOwn(config, type), path, found);
  visitSettings(config, type, false, [...path, "config"], found);
  const flat = flatSettings(fileScalars, type, config);
  if (flat === undefined) return;
  const replaced = definition[type] !== undefined || config[type] !== undefined;
  visitFlat(flat as Fields, type, replaced, [...path, "config"], found);
}

function visitSettings(
  holder: Fields,
  type: string,
  replaced: boolean,
  path: JsonPath,
  found: Problem[],
): void {
  for (const [key, settings] of Object.entries(holder).filter(([name]) => isComponentType(name))) {
    const at = [...path, key];
    if (key !== type) found.push(unused(`the component is of type "${type}"`, at));
    else if (replaced) found.push(unused('the settings in "config" count', at));
    else visitLists(settings as Fields, ["components", "choices"], at, found);
  }
}

/** A key of `config` that is not known, with the setting of the component's type that it is near to, if it is. */
function nameSetting(value: object, problem: Problem): Problem {
  const [holder, key] = problem.path.slice(-2);
  if (problem.code !== "UnknownField" || holder !== "config" || typeof key !== "string") return problem;
  const definition = problem.path.slice(0, -2).reduce<unknown>(memberOf, value) as Definition;
  const { type } = definition;
  if (!isComponentType(type) || nearest(key, componentTypes).length > 0) return problem;
  const [near] = nearest(key, Object.keys(settingsSchema(fileScalars, type).shape));
  if (near === undefined) return problem;
  const message = `${quoted(key)} is not a known field; did you mean "${near}", a setting of "${type}"?`;
  return { ...problem, message };
}

const memberOf = (value: unknown, key: string | number): unknown => (value as Fields)[key];

/** Flat settings are no part of the schema, so what is wrong with them is a warning too: the operation will fail. */
function visitFlat(
  flat: Fields,
  type: ComponentType,
  replaced: boolean,
  path: JsonPath,
  found: Problem[],
): void {
  for (const key of Object.keys(flat))
    found.push(
      replaced ? unused(`the settings under "${type}" count`, [...path, key]) : flatSetting(type, path, key),
    );
  if (replaced) return;
  const { errors } = problemsIn(settingsSchema(fileScalars, type), flat);
  for (const { code, message, path: inner } of errors)
    found.push({ code, message: `${message}: the operation will fail`, path: [...path, ...inner] });
  if (errors.length === 0) visitLists(flat, ["components", "choices"], path, found);
}

const flatSetting = (type: ComponentType, path: JsonPath, key: string) => ({
  code: "FlatSetting",
  message: `read as a setting of "${type}"; write it under "config": {"${type}": {"${key}": …}}`,
  path: [...path, key],
});

const unused = (why: string, path: JsonPath) => ({ code: "UnusedField", message: `not used: ${why}`, path });
