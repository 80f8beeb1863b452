import { type Node, parseSync, visitorKeys } from "oxc-parser";

/** A construct that has a limit: its line, from 1, and its text. */
export interface Found {
  line: number;
  text: string;
}

/** The figures of one source file. */
export interface SourceFigures {
  lines: number;
  /** Type assertions, without `as const`; `x as unknown as T` is one. */
  casts: number;
  any: Found[];
  /** Each `as never` and `as unknown as` that no comment explains, on its line or above its statement. */
  unexplained: Found[];
  functions: { line: number; lines: number }[];
}

/** Parses a TypeScript source and counts what is in it. */
export function figuresOf(path: string, text: string): SourceFigures {
  const { program, comments } = parseSync(path, text);
  const lineAt = lineFinder(text);
  const commented = new Set(comments.flatMap(({ start, end }) => range(lineAt(start), lineAt(end))));
  const figures: SourceFigures = {
    lines: lineAt(text.length),
    casts: 0,
    any: [],
    unexplained: [],
    functions: [],
  };
  walk(program, [], (node, ancestors) => {
    const line = lineAt(node.start);
    const found = { line, text: text.slice(node.start, node.end) };
    if (node.type === "TSAnyKeyword") figures.any.push(found);
    if (isFunction(node)) figures.functions.push({ line, lines: lineAt(node.end) - line + 1 });
    if (!isCast(node)) return;
    figures.casts++;
    const statement = ancestors.findLast(({ type }) =>
      /(Statement|Declaration|Definition|Property)$/.test(type),
    );
    const near = [...range(line - 1, lineAt(node.end)), lineAt(statement?.start ?? node.start) - 1];
    if (isDoubtful(node) && !near.some((each) => commented.has(each))) figures.unexplained.push(found);
  });
  return figures;
}

type Cast = Extract<Node, { type: "TSAsExpression" | "TSTypeAssertion" }>;

/** `as const` checks nothing away, and `as unknown` is the first half of another cast, or safe. */
function isCast(node: Node): node is Cast {
  if (node.type !== "TSAsExpression" && node.type !== "TSTypeAssertion") return false;
  const to = node.typeAnnotation;
  const isConst =
    to.type === "TSTypeReference" && to.typeName.type === "Identifier" && to.typeName.name === "const";
  return !isConst && to.type !== "TSUnknownKeyword";
}

function isDoubtful({ typeAnnotation, expression }: Cast): boolean {
  const throughUnknown =
    expression.type === "TSAsExpression" && expression.typeAnnotation.type === "TSUnknownKeyword";
  return throughUnknown || typeAnnotation.type === "TSNeverKeyword";
}

const isFunction = ({ type }: Node) =>
  type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression";

function walk(node: Node, ancestors: Node[], visit: (node: Node, ancestors: readonly Node[]) => void): void {
  visit(node, ancestors);
  ancestors.push(node);
  for (const key of visitorKeys[node.type] ?? []) {
    // the keys are those of the node's own type, which the compiler cannot follow
    const children = [(node as unknown as Record<string, Node | Node[] | null>)[key]].flat();
    for (const child of children) if (child) walk(child, ancestors, visit);
  }
  ancestors.pop();
}

/** Finds the line, from 1, of an offset. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    const after = starts.findIndex((start) => start > offset);
    return after === -1 ? starts.length - Number(text.endsWith("\n") && offset >= text.length) : after;
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
