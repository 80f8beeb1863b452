import { templateLimits } from "../limits.ts";
import { plainPath } from "./plain-path.ts";
import { maxCharacterCost, parsingCost } from "./template-extent.ts";

/** The message for an operation that has more templates than are parsed. */
export const tooMuchToParse =
  "the templates of the operation are too much to be parsed: " +
  `they have more than ${templateLimits.together} characters ` +
  "between braces, those within blocks counted more, and four of the text as one";

/** True if templates of this total length are always within the limit. */
export const isAlwaysAllowed = (length: number): boolean =>
  length * maxCharacterCost <= templateLimits.together;

const always = () => true;

/**
 * Counts the cost of parsing the templates of one operation, each different one once: the check of the operation and
 * its rendering stop at the same template.
 *
 * @param length that of all templates together, or more: few characters need not be counted
 * @returns a function that says if a template may be parsed; to be called for all of them, in the operation's order
 */
export function parsingAllowance(length: number): (template: string) => boolean {
  if (isAlwaysAllowed(length)) return always;
  const seen = new Set<string>();
  let left: number = templateLimits.together;
  return (template) => {
    if (left < 0 || seen.has(template) || plainPath(template) !== undefined) return left >= 0;
    seen.add(template);
    left -= parsingCost(template);
    return left >= 0;
  };
}
