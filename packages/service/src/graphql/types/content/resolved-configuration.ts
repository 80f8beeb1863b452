import type { ComponentDefinition } from "@lading/schema/internal";
import { reject } from "../../../errors.ts";
import type { PieceRow } from "../../../storage/collections/pieces.ts";
import type { ShapeRow } from "../../../storage/collections/shapes.ts";
import { settingsOf } from "./component-definition.ts";

/** Pieces that nest each other multiply: a few dozen could fill the memory. */
const maximumDefinitions = 10_000;

interface Resolution {
  findPiece(identifier: string): Promise<PieceRow | undefined>;
  /** Called once per definition; rejects beyond the limit. */
  count(): void;
}

/**
 * The definitions of a shape with pieces expanded: a piece's config gets the piece's `components`, at every depth. A
 * piece within itself is not expanded again. A component's settings are its `config` itself, as existing clients read
 * it, not keyed by type. Rejects with `ValidationError` beyond 10,000 definitions.
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
        `The shape "${identifier}" has more than ${maximumDefinitions} components with its pieces expanded`,
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

/** Reads each piece once, however often it is used. */
function once(findPiece: Resolution["findPiece"]): Resolution["findPiece"] {
  const asked = new Map<string, ReturnType<typeof findPiece>>();
  return (identifier) => {
    const answer = asked.get(identifier) ?? findPiece(identifier);
    asked.set(identifier, answer);
    return answer;
  };
}

/** `open` lists the enclosing pieces. */
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
  const { config: _, key: _key, formerIds: _formerIds, ...described } = definition;
  const own = settingsOf(definition);
  if (own === undefined) return described;
  const piece = definition.type === "piece" ? definition.config?.piece : undefined;
  const opened = piece && (await openPiece(piece, resolution, open));
  const settings = { ...own, ...opened?.settings };
  return { ...described, config: await resolveLists(settings, resolution, opened?.open ?? open) };
}

/** The components of a piece: none if it is already open or gone. */
async function openPiece(
  { identifier }: { identifier: string },
  { findPiece }: Resolution,
  open: readonly string[],
) {
  const piece = open.includes(identifier) ? undefined : await findPiece(identifier);
  return { settings: { components: piece?.components ?? [] }, open: [...open, identifier] };
}

/** Resolves the definitions that settings hold, whatever their field is called. */
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
