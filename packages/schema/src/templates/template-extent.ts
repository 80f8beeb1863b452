/**
 * The extent of one template. The parser takes quadratic time in what stands between braces and in how deep it is
 * nested: 40,000 small blocks within each other took it minutes. These bounds keep every template below a second.
 */
export const templateLimits = {
  /** UTF-16 units of the whole text, as far as it holds any braces. */
  length: 262_144,
  /** UTF-16 units between braces, all together. */
  code: 10_000,
  /** Blocks within blocks. */
  blocks: 64,
  /** Sub-expressions within one pair of braces. */
  subexpressions: 64,
  /** What the different templates of one operation may cost to parse, see `parsingCost`: some half a second. */
  together: 250_000,
} as const;

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

/** What a character outside of braces costs, compared to one between them. */
const textCost = 0.25;
/** So many blocks around braces, or branches before them, make it twice as dear to parse them. */
const twiceAsDear = 64;

/**
 * What a template costs to parse, some 1.5 microseconds each: its characters between braces, those within blocks or
 * behind other branches of theirs counted more, and its text, counted less. 0 for one that is not parsed because of its extent.
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
    cost += (inside.length + 4) * (1 + (level + before) / twiceAsDear);
  }
  return Math.ceil(cost);
}

/** The most that one character of a template can cost: as the last of as many branches as there is room for. */
export const dearest =
  textCost + 1 + (templateLimits.blocks + templateLimits.code / "else a".length) / twiceAsDear;

const isBranch = (inside: string) => /^~?\s*else\s+\S/.test(inside);

interface Braces {
  /** What stands in them. */
  readonly inside: string;
  /** Characters between braces so far. */
  readonly total: number;
  /** Blocks that are open behind them. */
  readonly depth: number;
}

function* bracesIn(text: string): Generator<Braces> {
  let [total, depth] = [0, 0];
  for (let open = text.indexOf("{{"); open !== -1; ) {
    const end = endOfCode(text, open + 2, templateLimits.code - total);
    const inside = text.slice(open + 2, end);
    total += inside.length;
    depth += step(inside);
    yield { inside, total, depth };
    open = text.indexOf("{{", end);
  }
}

/** Whether braces open a block, close one, or do neither. */
function step(inside: string): number {
  if (/^~?[#^]\s*[^\s~]/.test(inside)) return 1;
  return /^~?\//.test(inside) ? -1 : 0;
}

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", "[": "]" };

/** Where the braces close; within quotes and brackets they don't. Gives up when the code is longer than `limit`. */
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
