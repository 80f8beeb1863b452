import type { ComponentDefinition } from "@lading/schema";
import type { PieceRow } from "../../storage/collections/pieces.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";

type FindPiece = (identifier: string) => Promise<PieceRow | undefined>;

/**
 * The definitions of a shape with those of its pieces in their places: a piece's `config.piece` gets the `components` of
 * that piece, at every depth. A piece within itself is not opened again, so this ends.
 */
export async function resolveConfiguration(shape: ShapeRow, findPiece: FindPiece): Promise<object> {
  const { components, variantComponents } = shape;
  return {
    components: await resolveAll(components, findPiece, []),
    ...(variantComponents.length > 0 && {
      variantComponents: await resolveAll(variantComponents, findPiece, []),
    }),
  };
}

const resolveAll = (
  definitions: readonly ComponentDefinition[],
  findPiece: FindPiece,
  open: readonly string[],
) => Promise.all(definitions.map((definition) => resolve(definition, findPiece, open)));

async function resolve(
  definition: ComponentDefinition,
  findPiece: FindPiece,
  open: readonly string[],
): Promise<object> {
  const config: Partial<Record<string, object>> = definition.config ?? {};
  const own = config[definition.type];
  if (own === undefined) return definition;
  const identifier = definition.type === "piece" ? (own as { identifier: string }).identifier : undefined;
  if (identifier !== undefined && open.includes(identifier)) return definition;
  const piece = identifier === undefined ? undefined : await findPiece(identifier);
  const inside = piece ? { ...own, components: piece.components } : own;
  const nowOpen = identifier === undefined ? open : [...open, identifier];
  return {
    ...definition,
    config: { ...config, [definition.type]: await resolveLists(inside, findPiece, nowOpen) },
  };
}

/** Resolves the definitions that settings hold, whatever the type calls them. */
async function resolveLists(
  settings: object,
  findPiece: FindPiece,
  open: readonly string[],
): Promise<object> {
  const lists = settings as { components?: ComponentDefinition[]; choices?: ComponentDefinition[] };
  return {
    ...settings,
    ...(lists.components && { components: await resolveAll(lists.components, findPiece, open) }),
    ...(lists.choices && { choices: await resolveAll(lists.choices, findPiece, open) }),
  };
}
