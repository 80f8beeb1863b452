import { plainPath } from "./plain-path.ts";
import { dearest, parsingCost, templateLimits } from "./template-extent.ts";

/** Says that an operation has more templates than are parsed. */
export const tooMuchToParse =
  `the templates of the operation are too much to be parsed: they have more than ${templateLimits.together} characters ` +
  "between braces, those within blocks counted more, and four of the text as one";

const always = () => true;

/**
 * Counts what the templates of one operation cost to parse, each different one once: who checks the operation and who
 * renders it come to the same end, at the same template.
 *
 * @param length that of all templates together, or more: few characters need not be counted
 * @returns whether a template may be parsed; to be asked for all of them, in the order of the operation
 */
export function parsingAllowance(length: number): (template: string) => boolean {
  if (length * dearest <= templateLimits.together) return always;
  const seen = new Set<string>();
  let left: number = templateLimits.together;
  return (template) => {
    if (left < 0 || seen.has(template) || plainPath(template) !== undefined) return left >= 0;
    seen.add(template);
    left -= parsingCost(template);
    return left >= 0;
  };
}
