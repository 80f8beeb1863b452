import { type Payload, quoted, type Written } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type ShapeRow, type ShapeType, shapes } from "../../storage/collections/shapes.ts";
import { newId } from "../../storage/ids.ts";
import { countContent } from "../../storage/queries/content-counts.ts";
import { flowsRestrictedTo } from "../../storage/queries/flows.ts";
import { itemsWithShape } from "../../storage/queries/items.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { noteParts, unknownPart } from "../content/unknown-part.ts";
import { merge } from "../merge.ts";
import { refuseUsed } from "../payload/in-use.ts";
import { writeCommands } from "../write-commands.ts";
import { checkDefinitions, checkIdentifier, keyed, prefetchPieces, requireRenamed } from "./content-model.ts";
import { lostByShape, sharedByShape } from "./lost-content.ts";

type NewShape = Payload<"shape/create">;
type ChangedShape = Payload<"shape/update">;

function prefetchShape(
  { identifier, components, variantComponents }: Written<ChangedShape>,
  prefetch: Prefetch,
): void {
  prefetch(shapes, "key", [identifier]);
  prefetchPieces(components, prefetch);
  prefetchPieces(variantComponents, prefetch);
}

async function createShape({ unit, now }: CommandContext, payload: NewShape): Promise<CommandResult> {
  const { identifier, type, name, meta, components, variantComponents } = payload;
  if ((await unit.get(shapes, identifier)) !== undefined)
    reject("ShapeIdentifierTakenError", `A shape "${identifier}" exists already`, ["identifier"]);
  checkIdentifier(identifier);
  checkVariantComponents(type, payload);
  await checkDefinitions(unit, { components, variantComponents });
  noteParts(unit, "shape");
  unit.insert(shapes, {
    identifier,
    revision: newId(),
    type,
    name,
    meta: meta ?? null,
    components: components ?? [],
    variantComponents: variantComponents ?? [],
    createdAt: now,
    updatedAt: now,
  });
  return { action: "created", output: { identifier } };
}

/**
 * Lists replace, absent ones are kept; the type of a shape cannot be changed. When components are removed, `orphaned`
 * in the output counts the items that have content in them. When languages begin to share content, `differing` counts
 * the items whose languages differ.
 */
async function updateShape(
  { unit, now }: CommandContext,
  shape: ShapeRow,
  payload: ChangedShape & { type?: ShapeType },
): Promise<CommandResult> {
  const { identifier } = shape;
  const { type = shape.type, name, meta, components, variantComponents } = payload;
  if (type !== shape.type)
    reject(
      "ValidationError",
      `The shape "${identifier}" is of the type ${shape.type}, which cannot become ${type}`,
      ["type"],
    );
  checkVariantComponents(type, payload);
  await checkDefinitions(unit, { components, variantComponents });
  const patch = {
    name,
    meta,
    components: keyed(components, shape.components),
    variantComponents: keyed(variantComponents, shape.variantComponents),
  };
  const changed = merge(shape, patch, now);
  if (changed !== undefined) unit.update(shapes, { ...changed, revision: newId() });
  const lost = lostByShape(shape, changed ?? shape);
  const shared = sharedByShape(shape, changed ?? shape);
  return {
    action: changed ? "updated" : "unchanged",
    output: {
      id: { identifier },
      identifier,
      type,
      name,
      ...(lost.length > 0 && { orphaned: await countContent(unit, "held", [identifier], lost) }),
      ...(shared.length > 0 && { differing: await countContent(unit, "differing", [identifier], shared) }),
    },
  };
}

function checkVariantComponents(type: ShapeType, { variantComponents }: ChangedShape): void {
  if (type !== "product" && variantComponents && variantComponents.length > 0)
    reject(
      "ValidationError",
      `Only shapes of products have variant components; this one is of the type ${type}`,
      ["variantComponents"],
    );
}

/** The shape with this identifier; rejects with `ShapeNotFoundError`. */
const requireStoredShape = async (unit: UnitOfWork, identifier: string): Promise<ShapeRow> =>
  (await unit.get(shapes, identifier)) ?? refuseMissing(unit, identifier);

const refuseMissing = async (unit: UnitOfWork, identifier: string): Promise<never> =>
  reject("ShapeNotFoundError", await unknownPart(unit, "shape", identifier), ["identifier"]);

export const shapeCommands = writeCommands({
  keys: prefetchShape,
  find: (unit, { identifier }) => unit.get(shapes, identifier),
  missing: ({ identifier }, unit) => refuseMissing(unit, identifier),
  create: createShape,
  update: updateShape,
});

/** Gives a component another id. Its content is stored under its key, so no item is written. */
export const renameShapeComponent: Command<"shape/component/rename"> = {
  keys: ({ identifier }, prefetch) => prefetch(shapes, "key", [identifier]),
  async execute({ unit, now }, { identifier, from, to }) {
    const shape = await requireStoredShape(unit, identifier);
    const { components, variantComponents } = shape;
    const { lists, places } = requireRenamed({
      owner: `shape ${quoted(identifier)}`,
      lists: { components, variantComponents },
      from,
      to,
    });
    const output = { identifier, renamed: places };
    if (places.from === places.to) return { action: "unchanged", output };
    unit.update(shapes, { ...shape, ...lists, revision: newId(), updatedAt: now });
    return { action: "updated", output };
  },
};

/** Deletes a shape without items or restricted flows. Relations that accept it keep its identifier. */
export const deleteShape: Command<"shape/delete"> = {
  keys: ({ identifier }, prefetch) => prefetch(shapes, "key", [identifier]),
  async execute({ unit }, { identifier }) {
    // No key constraint stops another writer from restricting a flow to the shape.
    unit.requireLock("exclusive");
    const shape = await requireStoredShape(unit, identifier);
    await refuseUsed(
      "ShapeInUseError",
      { what: "shape", identifier, remedy: "delete the items, or take the shape out of the flows, first" },
      (most) => flowsRestrictedTo(unit, identifier, most),
      (most) => itemsWithShape(unit, identifier, most),
    );
    unit.remove(shapes, shape);
    noteParts(unit, "shape");
    return { action: "deleted", output: { identifier } };
  },
};
