import {
  type CompiledContent,
  type ComponentContent,
  type ComponentDefinition,
  type ComponentType,
  compileContent,
  type ValidatedContent,
} from "@lading/schema/internal";

/** A definition in its normal form, its settings given alone. */
export function define(id: string, type: ComponentType, settings?: object): ComponentDefinition {
  return { id, name: id, type, ...(settings && { config: { [type]: settings } }) };
}

interface Given {
  complete?: boolean;
  pieces?: Record<string, ComponentDefinition[]>;
}

export function check(
  definitions: ComponentDefinition[],
  components: object[],
  { complete = true, pieces = {} }: Given = {},
): Omit<ValidatedContent, "uses"> {
  const compiled = new Map<string, CompiledContent>(
    Object.entries(pieces).map(([identifier, list]) => [identifier, compileContent(list)]),
  );
  const { uses: _, ...validated } = compileContent(definitions).validate(components as ComponentContent[], {
    complete,
    pieces: (identifier) => compiled.get(identifier),
  });
  return validated;
}

/** Each error as `path code: message`. */
export function errorsOf(...given: Parameters<typeof check>): string[] {
  return check(...given).errors.map(({ code, message, path }) => `${path.join("/")} ${code}: ${message}`);
}
