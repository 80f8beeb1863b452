import { linearPatterns } from "#platform";
import type { JsonPath } from "../problems/json-pointer.ts";
import { quoted } from "../problems/phrases.ts";
import { ceilings } from "./limits.ts";
import { add, type Errors, type Report } from "./report.ts";

/** Checks that a shape's pattern is a regular expression that runs in linear time. */
export function checkPattern(pattern: string | undefined, report: Errors, path: JsonPath): void {
  const wrong = pattern === undefined || !linearPatterns ? undefined : wrongPattern(pattern);
  if (wrong !== undefined) add(report, wrong.code, wrong.message, path);
}

function wrongPattern(pattern: string): { code: string; message: string } | undefined {
  const { length } = pattern;
  if (length > ceilings.pattern)
    return {
      code: "TooLong",
      message: `The pattern has ${length} characters; at most ${ceilings.pattern} are allowed`,
    };
  const syntax = errorOf(pattern, "");
  if (syntax !== undefined)
    return { code: "InvalidPattern", message: `The pattern is not a regular expression: ${syntax}` };
  if (errorOf(pattern, "l") === undefined) return undefined;
  return {
    code: "UnsafePattern",
    message:
      `The pattern ${pattern} cannot be run in linear time: ` +
      "it cannot use look-around, back references or large nested counts",
  };
}

function errorOf(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

/** Compiled patterns, cached. */
const compiled = new Map<string, RegExp>();
const mostCompiled = 1_000;

/** Checks that a text matches its component's pattern, within the batch's time limit. */
export function checkMatch(pattern: string, text: string, report: Report, path: JsonPath): void {
  if (!linearPatterns) return;
  if (text.length > ceilings.patternText) {
    const allowed = `at most ${ceilings.patternText} are allowed where there is a pattern`;
    const message = `The text has ${text.length} characters; ${allowed}`;
    add(report, "TooMany", message, path);
  } else if (report.patterns.spent > ceilings.patternTime) {
    const message =
      `The patterns of this content take longer than ${ceilings.patternTime} ms; ` +
      "make them or the texts simpler, or spread the content over several operations";
    add(report, "PatternsTooSlow", message, path);
  } else {
    const began = performance.now();
    if (!matchesPattern(pattern, text))
      add(report, "PatternMismatch", `${quoted(text)} does not match the pattern ${pattern}`, path);
    report.patterns.spent += performance.now() - began;
  }
}

function matchesPattern(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    if (compiled.size >= mostCompiled) compiled.clear();
    expression = new RegExp(pattern);
    compiled.set(pattern, expression);
  }
  return expression.test(text);
}
