import type { ComponentContent } from "@lading/schema";
import { type Problem, reject, rejectAll } from "../../errors.ts";
import type { Media } from "../../media/stored-images.ts";
import { type ShapeRow, type ShapeType, shapes } from "../../storage/collections/shapes.ts";
import type { UnitOfWork } from "../../storage/unit-of-work.ts";
import {
  type PatternTime,
  type PieceLookup,
  type ValidatedContent,
  whereIn,
} from "../content-rules/index.ts";
import { type ComponentList, compiledShape, loadPieces } from "./compiled-content.ts";
import { unknownPart } from "./unknown-part.ts";
import { checkUses } from "./uses.ts";

/** The shape with this identifier, which must be one for items of this kind. */
export async function requireShape(unit: UnitOfWork, kind: ShapeType, identifier: string): Promise<ShapeRow> {
  const shape = await unit.get(shapes, identifier);
  const path = ["shapeIdentifier"];
  if (shape === undefined) reject("ShapeNotFoundError", await unknownPart(unit, "shape", identifier), path);
  if (shape.type !== kind)
    reject(
      "ValidationError",
      `The shape "${identifier}" is for items of the type ${shape.type}, not ${kind}`,
      path,
    );
  return shape;
}

export interface ContentOptions {
  /** True when required components must be there. */
  complete: boolean;
  /** The tenant's media, to look up what new content uses; without it that is not checked again. */
  media?: Media;
  /** Where the components are in the payload. */
  path: (string | number)[];
}

const noPieces: PieceLookup = () => undefined;

/** Holds content against a list of components of its shape: what is to be stored of it, and what is wrong with it and where. */
export async function checkContent(
  unit: UnitOfWork,
  shape: ShapeRow,
  list: ComponentList,
  components: readonly ComponentContent[],
  options: ContentOptions,
): Promise<ValidatedContent> {
  const rules = compiledShape(shape, list);
  const nested = rules.pieces.length > 0 && components.length > 0;
  const pieces = nested ? await loadPieces(unit, rules.pieces) : noPieces;
  const { media, ...validation } = options;
  const checked = rules.content.validate(components, { ...validation, pieces, patterns: patternsOf(unit) });
  if (media !== undefined && checked.errors.length === 0)
    checked.errors.push(...(await checkUses(unit, media, checked.uses)));
  if (checked.errors.length === 0) return checked;
  return { ...checked, errors: checked.errors.map((error) => placed(error, components, options.path)) };
}

/**
 * How long patterns have run in a batch: an operation may check the content of thousands of items or variants. A batch takes
 * less than that before its last operation, so that none is refused for what others did.
 */
const patternTimes = new WeakMap<UnitOfWork, PatternTime>();

function patternsOf(unit: UnitOfWork): PatternTime {
  const known = patternTimes.get(unit);
  if (known !== undefined) return known;
  const time = { spent: 0 };
  patternTimes.set(unit, time);
  return time;
}

/** Begins the message of an error with where in the content it is. */
const placed = (
  error: Problem,
  components: readonly ComponentContent[],
  base: ContentOptions["path"],
): Problem => ({ ...error, message: `${whereIn(components, base, error.path)}: ${error.message}` });

/**
 * What is to be stored of some content: all but the components that say nothing. Rejects with
 * `ComponentContentValidationFailedError` what does not fit the shape.
 */
export async function requireContent(...check: Parameters<typeof checkContent>): Promise<ComponentContent[]> {
  const { components, errors } = await checkContent(...check);
  if (errors.length > 0) rejectAll("ComponentContentValidationFailedError", errors);
  return components;
}
