import { templateLimits } from "../limits.ts";
import { plainPath } from "./plain-path.ts";
import { maxCharacterCost, parsingCost } from "./template-extent.ts";

/** The message for an operation with too many templates to parse. */
export const tooMuchToParse =
  "the templates of the operation are too much to be parsed: " +
  `they have more than ${templateLimits.together} characters ` +
  "between braces, those within blocks counted more, and four of the text as one";

/** True if templates with this total length are always within the limit. */
export const isAlwaysAllowed = (length: number): boolean =>
  length * maxCharacterCost <= templateLimits.together;

const always = () => true;

/**
 * Counts the cost of parsing an operation's templates, each different one once: the check and the rendering of the
 * operation stop at the same template.
 *
 * @param length the total length of the templates, or more: few characters need no counting
 * @returns a function that says if a template may be parsed; call it for all templates, in the operation's order
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
