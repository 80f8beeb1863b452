import type { ComponentContent, ComponentDefinition, JsonPath } from "@lading/schema";
import type { Problem } from "../../errors.ts";
import { ceilings } from "./limits.ts";
import { add, type PatternTime, type Report } from "./report.ts";
import type { Uses } from "./uses.ts";

export interface ValidateOptions {
  /** True when this is all the content: required components must be there. False for a single component. */
  complete: boolean;
  pieces: PieceLookup;
  /** Where the list of components is in the payload. Default: `["components"]`. */
  path?: JsonPath;
  /** How long patterns have run so far. Default: not at all. */
  patterns?: PatternTime;
}

export interface ValidatedContent {
  /** What is to be stored: without the components that were cleared, by null or by empty content. */
  components: ComponentContent[];
  errors: Problem[];
  /** What has to be looked up, to know whether it fits. */
  uses: Uses;
}

/** The content rules of a shape's or piece's components. Holds no rows, so it can be kept as long as they are unchanged. */
export interface CompiledContent {
  readonly definitions: readonly ComponentDefinition[];
  /** Checks a list of component contents; an error says what is wrong, where, and what would be right. */
  validate(components: readonly ComponentContent[], options: ValidateOptions): ValidatedContent;
  /** As `validate`, inside the content of another component. */
  walk(components: readonly ComponentContent[], walk: Walk, path: JsonPath): ComponentContent[];
}

/** Finds the compiled content of a piece by its identifier; undefined when there is no such piece. */
export type PieceLookup = (identifier: string) => CompiledContent | undefined;

/** The state of one validation at one level of the content. */
export interface Walk extends Report {
  readonly complete: boolean;
  readonly pieces: PieceLookup;
  readonly depth: number;
}

/** Checks one component's content and answers what is to be stored; undefined when it says nothing. */
export type Check = (content: unknown, walk: Walk, path: JsonPath) => unknown;

/** One level deeper, or undefined with an error when that is too deep. What is nested is given whole. */
export function deeper(walk: Walk, path: JsonPath): Walk | undefined {
  if (walk.depth < ceilings.nesting) return { ...walk, complete: true, depth: walk.depth + 1 };
  add(walk, "NestingTooDeep", `Components are nested deeper than ${ceilings.nesting} levels`, path);
  return undefined;
}
