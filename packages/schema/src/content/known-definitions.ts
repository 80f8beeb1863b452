import {
  type ComponentDefinition,
  componentDefinition,
  normalDefinition,
  type WrittenDefinition,
} from "../components/component.ts";
import { fileScalars, plainScalars } from "../scalars.ts";
import { hasTemplate, holdsTemplate } from "../templates/is-template.ts";

/**
 * The valid definitions of a file, as far as they are known before templates are rendered. Settings with a
 * template are left out, and with them the components of a chunk, the choices and the identifier of a piece.
 * Undefined if an id or a type has a template.
 */
export function knownDefinitions(written: readonly WrittenDefinition[]): ComponentDefinition[] | undefined {
  const known: ComponentDefinition[] = [];
  for (const definition of written) {
    if (hasTemplate(definition.id) || hasTemplate(definition.type)) return undefined;
    known.push(knownDefinition(definition));
  }
  return known;
}

function knownDefinition(written: WrittenDefinition): ComponentDefinition {
  const plain = holdsTemplate(written) ? undefined : componentDefinition(plainScalars).safeParse(written);
  if (plain?.success) return plain.data;
  const definition = normalDefinition(fileScalars, written, []);
  const { type, config } = definition;
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries<unknown>(config?.[type] ?? {})) {
    const known = nested.has(key) ? knownDefinitions(value as WrittenDefinition[]) : value;
    if (known !== undefined && (known !== value || !holdsTemplate(value))) settings[key] = known;
  }
  return { ...definition, config: { [type]: settings } };
}

/** The settings that are lists of definitions. */
const nested: ReadonlySet<string> = new Set(["components", "choices"]);
