import type { ComponentDefinition } from "../components/component.ts";
import { nearest } from "../nearest.ts";
import { didYouMean, oneOf, quoted } from "./names.ts";

/** A rule that content breaks, in words that say what would be right. */
export interface ContentProblem {
  readonly code: string;
  readonly message: string;
}

type Component = Pick<ComponentDefinition, "id" | "type">;

/** Content of a component that the shape or piece does not have; `known` are those that it has. */
export function unknownComponent(id: string, known: readonly string[]): ContentProblem {
  const advice =
    known.length === 0
      ? " There are none here."
      : didYouMean(nearest(id, known)) || ` There are ${oneOf(known)}.`;
  return { code: "UnknownComponent", message: `There is no component ${quoted(id)} here.${advice}` };
}

/** A second content of one component. */
export const duplicateComponent = (id: string): ContentProblem => ({
  code: "DuplicateComponent",
  message: `The component "${id}" is given twice`,
});

/** Content under the key of another type. */
export const wrongComponentType = ({ id, type }: Component, key: string): ContentProblem => ({
  code: "WrongComponentType",
  message: `The component "${id}" is of the type ${type}, not ${key}`,
});

/** Content under no type at all. */
export const noContent = ({ id, type }: Component): ContentProblem => ({
  code: "NoContent",
  message: `The component "${id}" needs content under ${type}; null clears it`,
});

const required = (message: string): ContentProblem => ({ code: "RequiredComponentMissing", message });

/** A required component that is not in the list. */
export const requiredMissing = ({ id, type }: Component): ContentProblem =>
  required(`The component "${id}" (${type}) is required and is missing`);

/** A required component that is in the list, and empty. */
export const requiredEmpty = ({ id, type }: Component): ContentProblem =>
  required(`The component "${id}" (${type}) is required and has no content`);

/** Content of another piece than the one that the shape has there. */
export const wrongPiece = (wanted: string, given: string): ContentProblem => ({
  code: "WrongPiece",
  message: `The shape wants the piece "${wanted}" here, not ${quoted(given)}`,
});
