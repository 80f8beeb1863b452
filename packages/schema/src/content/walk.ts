import type { ComponentContent, ComponentDefinition } from "../components/component.ts";
import type { ComponentType } from "../components/types.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import type { Problem } from "../problems/problem.ts";
import { hasTemplate } from "../templates/is-template.ts";
import { ceilings } from "./limits.ts";
import { add, type MediaTypeOf, type PatternTime, type Report, type Uses } from "./report.ts";

export interface ValidateOptions {
  /** True for whole content, in which required components must be present. False for a single component. */
  complete: boolean;
  pieces: PieceLookup;
  /** The place of the list of components in the payload. Default: `["components"]`. */
  path?: JsonPath;
  /** The time that patterns have run so far. Default: zero. */
  patterns?: PatternTime;
  mediaTypeOf?: MediaTypeOf;
  unrendered?: Unrendered;
}

/** A check of content whose templates are not rendered: it leaves out what depends on one. */
export interface Unrendered {
  /** Brings content of a type into its normal form; undefined if it has a template. */
  normal(type: ComponentType, content: unknown): unknown;
  /** True if a problem may still come with advice, which is costly to find. Called once for each problem. */
  advises(): boolean;
}

export interface ValidatedContent {
  /** The content to store: without the components that were cleared, by null or by empty content. */
  components: ComponentContent[];
  errors: Problem[];
  /** The items and files that are still to be checked, as they need a look-up. */
  uses: Uses;
}

/**
 * The content rules of the components of a shape or piece. It holds no rows, so it can be cached while they are
 * unchanged.
 */
export interface CompiledContent {
  readonly definitions: readonly ComponentDefinition[];
  /** Checks a list of component contents; an error says what is wrong, where, and what would be right. */
  validate(components: readonly ComponentContent[], options: ValidateOptions): ValidatedContent;
  /** Checks content inside the content of another component, like `validate`. */
  walk(components: readonly ComponentContent[], walk: Walk, path: JsonPath): ComponentContent[];
}

/** Finds the compiled content of a piece by its identifier; undefined when there is no such piece. */
export type PieceLookup = (identifier: string) => CompiledContent | undefined;

export interface Walk extends Report {
  readonly complete: boolean;
  readonly pieces: PieceLookup;
  readonly depth: number;
  readonly unrendered: Unrendered | undefined;
}

/** True for a text whose template is not rendered: it may become any text. */
export const isOpen = ({ unrendered }: Walk, text: string): boolean =>
  unrendered !== undefined && hasTemplate(text);

/** Checks the content of one component and returns the content to store; undefined when it is empty. */
export type Check = (content: unknown, walk: Walk, path: JsonPath) => unknown;

/**
 * Enters the next level; reports an error and returns undefined when that is too deep. Nested content is always whole.
 */
export function deeper(walk: Walk, path: JsonPath): Walk | undefined {
  if (walk.depth < ceilings.nesting) return { ...walk, complete: true, depth: walk.depth + 1 };
  add(walk, "NestingTooDeep", `Components are nested deeper than ${ceilings.nesting} levels`, path);
  return undefined;
}
