import type { ComponentDefinition } from "../components/component.ts";
import { asSentence, didYouMean, oneOf, quoted } from "../problems/phrases.ts";

/** A broken content rule, worded so that it says what is right. */
export interface ContentProblem {
  readonly code: string;
  readonly message: string;
}

type Component = Pick<ComponentDefinition, "id" | "type">;

/** Maximum problems of one payload that get advice, which is far more expensive to find. */
export const advisedProblems = 20;

/** Maximum number of ids, and their maximum length, compared for a suggestion. */
const compared = { ids: 100, length: 40 };

/** Content of a component that the shape or piece does not have. `known` lists those it has, for advice. */
export function unknownComponent(id: string, known?: readonly ComponentDefinition[]): ContentProblem {
  const advice = known === undefined ? "" : adviceFor(id, known);
  return { code: "UnknownComponent", message: `There is no component ${quoted(id)} here.${advice}` };
}

/** The component that had an id before, else those with the nearest ids, else all. */
export function adviceFor(id: string, known: readonly ComponentDefinition[]): string {
  const renamed = known.find(({ formerIds }) => formerIds?.includes(id));
  const ids = known.map((definition) => definition.id);
  return renamed === undefined ? nearest(id, ids) : ` It was renamed to ${quoted(renamed.id)}.`;
}

function nearest(id: string, known: readonly string[]): string {
  if (known.length === 0) return " There are none here.";
  const short = known.slice(0, compared.ids).filter(({ length }) => length <= compared.length);
  const advice = id.length <= compared.length ? didYouMean(id, short) : undefined;
  return asSentence(advice) || ` There ${known.length === 1 ? "is" : "are"} ${oneOf(known)}.`;
}

export const duplicateComponent = (id: string): ContentProblem => ({
  code: "DuplicateComponent",
  message: `The component "${id}" is given twice`,
});

export const wrongComponentType = ({ id, type }: Component, key: string): ContentProblem => ({
  code: "WrongComponentType",
  message: `The component "${id}" is of the type ${type}, not ${key}`,
});

/** Content without a type. */
export const noContent = ({ id, type }: Component): ContentProblem => ({
  code: "NoContent",
  message: `The component "${id}" needs content under ${type}; null clears it`,
});

const required = (message: string): ContentProblem => ({ code: "RequiredComponentMissing", message });

/** A required component missing from the list. */
export const requiredMissing = ({ id, type }: Component): ContentProblem =>
  required(`The component "${id}" (${type}) is required and is missing`);

/** A required component that is listed but empty. */
export const requiredEmpty = ({ id, type }: Component): ContentProblem =>
  required(`The component "${id}" (${type}) is required and has no content`);

/** Content of a piece other than the shape's. */
export const wrongPiece = (wanted: string, given: string): ContentProblem => ({
  code: "WrongPiece",
  message: `The shape expects the piece "${wanted}" here, not ${quoted(given)}`,
});
