import { flatSettings, settingsSchema } from "../components/component.ts";
import { type ComponentType, componentTypes, isComponentType } from "../components/types.ts";
import { isObject } from "../is-object.ts";
import { type JsonPath, toPointer } from "../problems/json-pointer.ts";
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
 * Adds warnings about settings in component definitions: unused ones, which belong to another type or which
 * `config` repeats, and those directly in `config`, as in old files. `value` is a valid shape or piece, as
 * written.
 */
export function warnOfSettings(value: Fields, problems: Problems): void {
  const found: Problem[] = [];
  visitLists(value, ["components", "variantComponents"], [], found);
  const reported = new Set(found.map(({ path }) => toPointer(path)));
  const others = problems.warnings.filter(({ path }) => !reported.has(toPointer(path)));
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
  visitFlat(flat, type, replaced, [...path, "config"], found);
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
    if (key !== type && !isObject(settings)) found.push(stray(key, type, at));
    else if (key !== type) found.push(unused(`the component is of type "${type}"`, at));
    else if (replaced) found.push(unused('the settings in "config" count', at));
    else if (isObject(settings)) visitLists(settings, ["components", "choices"], at, found);
  }
}

/** Suggests the setting of the component's type that an unknown key of `config` resembles, if any. */
function nameSetting(value: object, problem: Problem): Problem {
  const [holder, key] = problem.path.slice(-2);
  if (problem.code !== "UnknownField" || holder !== "config" || typeof key !== "string") return problem;
  const type = [...problem.path.slice(0, -2), "type"].reduce<unknown>(memberOf, value);
  if (typeof type !== "string" || !isComponentType(type) || nearest(key, componentTypes).length > 0)
    return problem;
  const [near] = nearest(key, Object.keys(settingsSchema(fileScalars, type).shape));
  if (near === undefined) return problem;
  const message = `${quoted(key)} is not a known field; did you mean "${near}", a setting of "${type}"?`;
  return { ...problem, message };
}

const memberOf = (holder: unknown, key: string | number): unknown =>
  holder !== null && typeof holder === "object" ? Reflect.get(holder, key) : undefined;

/** Adds the problems of flat settings as warnings: the schema does not know them, but the operation will fail. */
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

const stray = (key: string, type: string, path: JsonPath) => ({
  code: "UnknownField",
  message: `${quoted(key)} is not a known field of a component of type "${type}"`,
  path,
});

const unused = (why: string, path: JsonPath) => ({ code: "UnusedField", message: `not used: ${why}`, path });
