import { templateLimits } from "../limits.ts";

/** Names the limit a template exceeds, if any. */
export function objectionToExtent(text: string): string | undefined {
  const { length, code, blocks, subexpressions } = templateLimits;
  if (text.length > length) return `is longer than the ${length} characters that a template may have`;
  for (const { inside, total, depth } of bracesIn(text)) {
    if (total > code) return `has more than ${code} characters between braces`;
    if (depth > blocks) return `has blocks nested deeper than ${blocks}`;
    if (inside.split("(").length - 1 > subexpressions) {
      return `has more than ${subexpressions} sub-expressions in one pair of braces`;
    }
  }
  return undefined;
}

/** The cost of a character outside of braces, relative to one inside. */
const textCost = 0.25;
/** The number of enclosing blocks, or of preceding branches, that doubles the cost of parsing braces. */
const doublesCost = 64;

/**
 * The cost of parsing a template, in units of about 1.5 microseconds: characters between braces cost more within blocks
 * or after other branches, and text costs less. 0 for a template that is refused because of its size.
 */
export function parsingCost(text: string): number {
  if (objectionToExtent(text) !== undefined) return 0;
  let cost = text.length * textCost;
  const branches: number[] = [];
  for (const { inside, depth } of bracesIn(text)) {
    const level = Math.max(depth, 0);
    branches.length = level + 1;
    const before = (branches[level] ?? 0) + (isBranch(inside) ? 1 : 0);
    branches[level] = before;
    cost += (inside.length + 4) * (1 + (level + before) / doublesCost);
  }
  return Math.ceil(cost);
}

/** The maximum cost of a character in a template: after as many branches as fit. */
export const maxCharacterCost =
  textCost + 1 + (templateLimits.blocks + templateLimits.code / "else a".length) / doublesCost;

const isBranch = (inside: string) => /^~?\s*else\s+\S/.test(inside);

interface Braces {
  readonly inside: string;
  /** Characters between braces so far. */
  readonly total: number;
  /** Blocks that are open after them. */
  readonly depth: number;
}

function* bracesIn(text: string): Generator<Braces> {
  let [total, depth] = [0, 0];
  for (let open = text.indexOf("{{"); open !== -1; ) {
    const end = endOfCode(text, open + 2, templateLimits.code - total);
    const inside = text.slice(open + 2, end);
    total += inside.length;
    depth += depthChange(inside);
    yield { inside, total, depth };
    open = text.indexOf("{{", end);
  }
}

/** 1 for braces that open a block, -1 for those that close one, otherwise 0. */
function depthChange(inside: string): number {
  if (/^~?[#^]\s*[^\s~]/.test(inside)) return 1;
  return /^~?\//.test(inside) ? -1 : 0;
}

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", "[": "]" };

/**
 * The index of the closing braces, ignoring those in quotes or brackets. Gives up when the code is longer than `limit`.
 */
function endOfCode(text: string, from: number, limit: number): number {
  let at = from;
  while (at < text.length && at - from <= limit) {
    if (text.startsWith("}}", at)) return at;
    const closing = closings[text[at]!];
    const quoteEnd = closing === undefined ? -1 : endOfQuote(text, closing, at + 1);
    at = Math.max(at, quoteEnd) + 1;
  }
  return Math.min(at, text.length);
}

/** The index of the closing quote not escaped by a backslash, or -1. */
function endOfQuote(text: string, closing: string, from: number): number {
  let at = text.indexOf(closing, from);
  while (at > 0 && text[at - 1] === "\\") at = text.indexOf(closing, at + 1);
  return at;
}
