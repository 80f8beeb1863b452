import { walkJson } from "../operation-file/read/json-walk.ts";
import { fileLimits } from "../operation-file/read/limits.ts";
import { locate } from "../operation-file/read/locate.ts";
import { positionOf, type TextPosition, type TextStart } from "../operation-file/read/position.ts";
import { type JsonPath, toPointer } from "../problems/json-pointer.ts";
import type { Problem } from "../problems/problem.ts";

export interface LocatedProblem extends Problem, TextPosition {}

const start: TextStart = { line: 1, column: 1, start: 0 };

/** Reads a JSON text strictly: a key that an object has twice is a problem, too. */
export function readJson(
  text: string,
): { value: unknown; problems?: undefined } | { problems: LocatedProblem[] } {
  const problems: LocatedProblem[] = [];
  const error = walkJson(text, fileLimits.depth, {
    repeatedKey(offset, pointer) {
      const message = `the key ${pointer} is here a second time`;
      problems.push({ code: "DuplicateKey", message, path: [], ...positionOf(text, offset, start) });
    },
  });
  if (error === undefined) return problems.length > 0 ? { problems } : { value: JSON.parse(text) };
  const { code, message, offset } = error;
  return { problems: [{ code, message, path: [], ...positionOf(text, offset, start) }] };
}

export function locateProblems(text: string, problems: readonly Problem[]): LocatedProblem[] {
  const offsets = locate(
    text,
    problems.map(({ path }) => toPointer(path)),
  );
  const offsetOf = (path: JsonPath) => offsets.get(toPointer(path)) ?? 0;
  return problems.map((problem) => ({ ...problem, ...positionOf(text, offsetOf(problem.path), start) }));
}
