import type { JsonPath } from "@lading/schema";
import type { CompiledContent } from "./compile.ts";
import { ceilings } from "./limits.ts";
import { add, type Report } from "./report.ts";

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
