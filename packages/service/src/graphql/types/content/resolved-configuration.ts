import type { ComponentDefinition } from "@lading/schema";
import { reject } from "../../../errors.ts";
import type { PieceRow } from "../../../storage/collections/pieces.ts";
import type { ShapeRow } from "../../../storage/collections/shapes.ts";
import { settingsOf } from "./component-settings.ts";

/** Pieces that use each other several times multiply: a few dozen could otherwise fill the memory. */
const maximumDefinitions = 10_000;

interface Resolution {
  findPiece(identifier: string): Promise<PieceRow | undefined>;
  /** Calls itself once for each definition; rejects beyond the limit. */
  count(): void;
}

/**
 * The definitions of a shape with those of its pieces in their places: the config of a piece gets the `components`
 * of that piece, at every depth. A piece within itself is not opened again. The settings of a component are its
 * `config` itself, as existing clients read it, and not under the name of the type. Rejects with `ValidationError`
 * when there would be more than 10,000 definitions.
 */
export async function resolveConfiguration(
  { identifier, components, variantComponents }: ShapeRow,
  findPiece: Resolution["findPiece"],
): Promise<object> {
  let definitions = 0;
  const count = () => {
    if (++definitions > maximumDefinitions)
      reject(
        "ValidationError",
        `The shape "${identifier}" has more than ${maximumDefinitions} components when its pieces are opened`,
      );
  };
  const resolution = { findPiece: once(findPiece), count };
  return {
    components: await resolveAll(components, resolution, []),
    ...(variantComponents.length > 0 && {
      variantComponents: await resolveAll(variantComponents, resolution, []),
    }),
  };
}

/** Asks once for each piece, however often it is used. */
function once(findPiece: Resolution["findPiece"]): Resolution["findPiece"] {
  const asked = new Map<string, ReturnType<typeof findPiece>>();
  return (identifier) => {
    const answer = asked.get(identifier) ?? findPiece(identifier);
    asked.set(identifier, answer);
    return answer;
  };
}

/** `open` are the pieces that the definitions stand in. */
const resolveAll = (
  definitions: readonly ComponentDefinition[],
  resolution: Resolution,
  open: readonly string[],
): Promise<object[]> => Promise.all(definitions.map((definition) => resolve(definition, resolution, open)));

async function resolve(
  definition: ComponentDefinition,
  resolution: Resolution,
  open: readonly string[],
): Promise<object> {
  resolution.count();
  const { config: _, ...described } = definition;
  const own = settingsOf(definition);
  if (own === undefined) return described;
  const piece = definition.type === "piece" ? definition.config?.piece : undefined;
  const opened = piece && (await openPiece(piece, resolution, open));
  const settings = { ...own, ...opened?.settings };
  return { ...described, config: await resolveLists(settings, resolution, opened?.open ?? open) };
}

/** The components that a piece has: none if it is open already or gone. */
async function openPiece(
  { identifier }: { identifier: string },
  { findPiece }: Resolution,
  open: readonly string[],
) {
  const piece = open.includes(identifier) ? undefined : await findPiece(identifier);
  return { settings: { components: piece?.components ?? [] }, open: [...open, identifier] };
}

/** Resolves the definitions that settings hold, whatever the type calls them. */
async function resolveLists(
  settings: { components?: ComponentDefinition[]; choices?: ComponentDefinition[] },
  resolution: Resolution,
  open: readonly string[],
): Promise<object> {
  const { components, choices } = settings;
  return {
    ...settings,
    ...(components && { components: await resolveAll(components, resolution, open) }),
    ...(choices && { choices: await resolveAll(choices, resolution, open) }),
  };
}
