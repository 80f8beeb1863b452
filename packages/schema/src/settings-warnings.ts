import { flatSettings, settingsSchema } from "./components/component.ts";
import { type ComponentType, isComponentType } from "./components/types.ts";
import { type PayloadError, toPointer } from "./errors.ts";
import { type Faults, faultLimit, faultsOf } from "./faults.ts";
import { fileScalars } from "./scalars.ts";

type Path = PayloadError["path"];
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
export function warnOfSettings(value: object, faults: Faults): void {
  const found: PayloadError[] = [];
  visitLists(value as Fields, ["components", "variantComponents"], [], found);
  if (found.length === 0) return;
  const places = new Set(found.map(({ path }) => toPointer(path)));
  const others = faults.warnings.filter(({ path }) => !places.has(toPointer(path)));
  faults.warnings.splice(0, faults.warnings.length, ...others, ...found);
}

function visitLists(holder: Fields, names: readonly string[], path: Path, found: PayloadError[]): void {
  for (const name of names) {
    const list = holder[name];
    if (!Array.isArray(list)) continue;
    for (const [index, definition] of list.entries()) {
      if (found.length >= faultLimit) return;
      visitDefinition(definition, [...path, name, index], found);
    }
  }
}

function visitDefinition(definition: Fields & Definition, path: Path, found: PayloadError[]): void {
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
  path: Path,
  found: PayloadError[],
): void {
  for (const [key, settings] of Object.entries(holder).filter(([name]) => isComponentType(name))) {
    const at = [...path, key];
    if (key !== type) found.push(unused(`the component is of type "${type}"`, at));
    else if (replaced) found.push(unused('the settings in "config" count', at));
    else visitLists(settings as Fields, ["components", "choices"], at, found);
  }
}

/** Flat settings are no part of the schema, so what is wrong with them is a warning too: the operation will fail. */
function visitFlat(
  flat: Fields,
  type: ComponentType,
  replaced: boolean,
  path: Path,
  found: PayloadError[],
): void {
  for (const key of Object.keys(flat))
    found.push(
      replaced ? unused(`the settings under "${type}" count`, [...path, key]) : flatSetting(type, path, key),
    );
  if (replaced) return;
  const { errors } = faultsOf(settingsSchema(fileScalars, type), flat);
  for (const { code, message, path: inner } of errors)
    found.push({ code, message: `${message}: the operation will fail`, path: [...path, ...inner] });
  if (errors.length === 0) visitLists(flat, ["components", "choices"], path, found);
}

const flatSetting = (type: ComponentType, path: Path, key: string) => ({
  code: "FlatSetting",
  message: `read as a setting of "${type}"; write it under "config": {"${type}": {"${key}": …}}`,
  path: [...path, key],
});

const unused = (why: string, path: Path) => ({ code: "UnusedField", message: `not used: ${why}`, path });
