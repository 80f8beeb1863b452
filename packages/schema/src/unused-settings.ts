import { type ComponentType, componentTypes } from "./components/types.ts";
import type { PayloadError } from "./errors.ts";
import { faultLimit } from "./faults.ts";

type Path = PayloadError["path"];
type Fields = Readonly<Record<string, unknown>>;

/**
 * The settings in component definitions that nothing reads: of another type than the component's own, or beside the
 * type while `config` has them as well. `value` is a valid shape or piece, as written.
 */
export function unusedSettings(value: object): PayloadError[] {
  const found: PayloadError[] = [];
  visitLists(value as Fields, ["components", "variantComponents"], [], found);
  return found;
}

function visitLists(holder: Fields, names: readonly string[], path: Path, found: PayloadError[]): void {
  for (const name of names) {
    const list = (holder[name] ?? []) as Fields[];
    for (const [index, definition] of list.entries()) {
      if (found.length >= faultLimit) return;
      visitDefinition(definition, [...path, name, index], found);
    }
  }
}

function visitDefinition(definition: Fields, path: Path, found: PayloadError[]): void {
  const { type, config = {} } = definition as { type: string; config?: Fields };
  if (!isType(type)) return; // a template: not known yet
  visitSettings(definition, type, Object.hasOwn(config, type), path, found);
  visitSettings(config, type, false, [...path, "config"], found);
}

function visitSettings(
  holder: Fields,
  type: string,
  replaced: boolean,
  path: Path,
  found: PayloadError[],
): void {
  for (const [key, settings] of Object.entries(holder).filter(([name]) => isType(name))) {
    const at = [...path, key];
    if (key !== type) found.push(unused(`the component is of type "${type}"`, at));
    else if (replaced) found.push(unused('the settings in "config" count', at));
    else visitLists(settings as Fields, ["components", "choices"], at, found);
  }
}

const unused = (why: string, path: Path) => ({ code: "UnusedField", message: `not used: ${why}`, path });

const isType = (name: string) => componentTypes.includes(name as ComponentType);
