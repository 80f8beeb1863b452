import type { ComponentContent, ComponentDefinition } from "../components/component.ts";
import type { ComponentType } from "../components/types.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import type { Problem } from "../problems/problem.ts";
import { hasTemplate } from "../templates/is-template.ts";
import { ceilings } from "./limits.ts";
import { add, type MediaTypeOf, type PatternTime, type Report, type Uses } from "./report.ts";

export interface ValidateOptions {
  /** True for complete content, which must contain the required components. False for a single component. */
  complete: boolean;
  pieces: PieceLookup;
  /** The path of the component list in the payload. Default: `["components"]`. */
  path?: JsonPath;
  /** Pattern time spent so far. Default: zero. */
  patterns?: PatternTime;
  mediaTypeOf?: MediaTypeOf;
  unrendered?: Unrendered;
}

/** Checks content with unrendered templates: it skips what depends on one. */
export interface Unrendered {
  /** Brings content of a type into normal form; undefined if it has a template. */
  normal(type: ComponentType, content: unknown): unknown;
  /** True if one more problem may come with advice, which is expensive to find. Called once per problem. */
  advises(): boolean;
}

export interface ValidatedContent {
  /** The content to store, by keys of components: without those cleared by null or by empty content. */
  components: ComponentContent[];
  errors: Problem[];
  /** The items and files still to be checked by a look-up. */
  uses: Uses;
}

/** The content rules of a shape's or piece's components. It holds no rows, so it can be cached until they change. */
export interface CompiledContent {
  readonly definitions: readonly ComponentDefinition[];
  /** Checks a list of component contents; an error says what is wrong, where, and what is right. */
  validate(components: readonly ComponentContent[], options: ValidateOptions): ValidatedContent;
  /** Checks content nested in another component, like `validate`. */
  walk(components: readonly ComponentContent[], walk: Walk, path: JsonPath): ComponentContent[];
}

/** Finds a piece's compiled content by identifier; undefined if there is no such piece. */
export type PieceLookup = (identifier: string) => CompiledContent | undefined;

export interface Walk extends Report {
  readonly complete: boolean;
  readonly pieces: PieceLookup;
  readonly depth: number;
  readonly unrendered: Unrendered | undefined;
}

/** True for a text with an unrendered template: it may become any text. */
export const isOpen = ({ unrendered }: Walk, text: string): boolean =>
  unrendered !== undefined && hasTemplate(text);

/** Checks one component's content and returns the content to store; undefined if it is empty. */
export type Check<Content = never> = (content: Content, walk: Walk, path: JsonPath) => unknown;

/**
 * Enters the next level; reports an error and returns undefined if that is too deep. Nested content is always
 * complete.
 */
export function deeper(walk: Walk, path: JsonPath): Walk | undefined {
  if (walk.depth < ceilings.nesting) return { ...walk, complete: true, depth: walk.depth + 1 };
  add(walk, "NestingTooDeep", `Components are nested deeper than ${ceilings.nesting} levels`, path);
  return undefined;
}
