import type { ComponentDefinition } from "@lading/schema/internal";

/** A component as `resolvedConfiguration` answers it: the settings are `config` itself. */
export interface ResolvedDefinition extends Omit<ComponentDefinition, "config"> {
  config?: Record<string, unknown> & { components?: ResolvedDefinition[]; choices?: ResolvedDefinition[] };
}

export interface ResolvedShape {
  identifier: string;
  name: string;
  type: string;
  resolvedConfiguration: { components: ResolvedDefinition[]; variantComponents?: ResolvedDefinition[] };
}

/**
 * Makes the operations that the public command-line client makes of `shapes` and `pieces` (`dump-content-model`): it
 * takes pieces from the settings of the components that use them, puts settings back under the name of the type, and
 * reads settings of some types without checking that they exist.
 */
export function publicDump(
  shapes: readonly ResolvedShape[],
  pieceNames: ReadonlyMap<string, string>,
): Record<string, unknown>[] {
  const pieces = new Map<string, ResolvedDefinition[]>();
  for (const { resolvedConfiguration: resolved } of shapes)
    for (const list of [resolved.components, resolved.variantComponents ?? []]) collectPieces(list, pieces);
  return [
    ...[...pieces].reverse().map(([identifier, components]) => ({
      intent: "piece/upsert",
      identifier,
      name: pieceNames.get(identifier),
      components: components.map(written),
    })),
    ...shapes.map(({ resolvedConfiguration: { components, variantComponents }, ...shape }) => ({
      intent: "shape/upsert",
      ...shape,
      components: components.map(written),
      ...(shape.type === "product" && { variantComponents: variantComponents?.map(written) ?? [] }),
    })),
  ];
}

/** The order is that of use, so a piece stands before those that it uses. */
function collectPieces(list: readonly ResolvedDefinition[], pieces: Map<string, ResolvedDefinition[]>): void {
  for (const { type, config } of list) {
    if (type === "piece") {
      pieces.delete(String(config!.identifier));
      pieces.set(String(config!.identifier), config!.components ?? []);
    }
    if (type === "itemRelations") void config!.acceptedShapeIdentifiers;
    collectPieces(config?.components ?? config?.choices ?? [], pieces);
  }
}

function written({ config, ...definition }: ResolvedDefinition): object {
  return { ...definition, config: { [definition.type]: writtenSettings(definition.type, config) } };
}

function writtenSettings(type: string, config: ResolvedDefinition["config"]): unknown {
  if (type === "piece") return { ...config, components: undefined };
  if (type === "contentChunk") return { ...config, components: config!.components!.map(written) };
  if (type === "componentChoice" || type === "componentMultipleChoice")
    return { ...config, choices: config!.choices!.map(written) };
  return config;
}
