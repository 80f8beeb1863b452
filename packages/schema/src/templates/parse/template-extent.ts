import { templateLimits } from "../limits.ts";

/** Says which limit a template exceeds, if any. */
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

/** The cost of a character outside of braces, compared to one between them. */
const textCost = 0.25;
/** The number of blocks around braces, or of branches before them, that doubles the cost of parsing them. */
const doublesCost = 64;

/**
 * The cost of parsing a template, in units of some 1.5 microseconds: its characters between braces, those within blocks
 * or behind other branches of theirs counted more, and its text, counted less. 0 for one that is refused because of its
 * extent.
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

/** The most that one character of a template can cost: as the last of as many branches as there is room for. */
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

/** 1 for braces that open a block, -1 for those that close one, 0 for others. */
function depthChange(inside: string): number {
  if (/^~?[#^]\s*[^\s~]/.test(inside)) return 1;
  return /^~?\//.test(inside) ? -1 : 0;
}

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", "[": "]" };

/**
 * The index at which the braces close, but not within quotes or brackets. Gives up when the code is longer than
 * `limit`.
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

/** The index of the closing quote that no backslash escapes, or -1. */
function endOfQuote(text: string, closing: string, from: number): number {
  let at = text.indexOf(closing, from);
  while (at > 0 && text[at - 1] === "\\") at = text.indexOf(closing, at + 1);
  return at;
}
