import { type Node, parseSync, visitorKeys } from "oxc-parser";

/** A type assertion. `x as unknown as T` counts as one; `as const` does not count. */
export interface Cast {
  /** From 1. */
  line: number;
  text: string;
  /** True for `as never` and `as unknown as` without a comment on its line or above its statement. */
  isUnexplained: boolean;
}

export function castsIn(path: string, text: string): Cast[] {
  const { program, comments } = parseSync(path, text);
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const commented = new Set(comments.flatMap(({ start, end }) => range(lineAt(start), lineAt(end))));
  const casts: Cast[] = [];
  walk(program, [], (node, ancestors) => {
    if (!isCast(node)) return;
    const line = lineAt(node.start);
    const statement = ancestors.findLast(({ type }) =>
      /(Statement|Declaration|Definition|Property)$/.test(type),
    );
    const near = [...range(line - 1, lineAt(node.end)), lineAt(statement?.start ?? node.start) - 1];
    const isUnexplained = isDoubtful(node) && !near.some((each) => commented.has(each));
    casts.push({ line, text: text.slice(node.start, node.end), isUnexplained });
  });
  return casts;
}

type Assertion = Extract<Node, { type: "TSAsExpression" | "TSTypeAssertion" }>;

/** `as const` hides no error, and `as unknown` is safe, or the first half of another cast. */
function isCast(node: Node): node is Assertion {
  if (node.type !== "TSAsExpression" && node.type !== "TSTypeAssertion") return false;
  const to = node.typeAnnotation;
  const isConst =
    to.type === "TSTypeReference" && to.typeName.type === "Identifier" && to.typeName.name === "const";
  return !isConst && to.type !== "TSUnknownKeyword";
}

function isDoubtful({ typeAnnotation, expression }: Assertion): boolean {
  const throughUnknown =
    expression.type === "TSAsExpression" && expression.typeAnnotation.type === "TSUnknownKeyword";
  return throughUnknown || typeAnnotation.type === "TSNeverKeyword";
}

export function walk(
  node: Node,
  ancestors: Node[],
  visit: (node: Node, ancestors: readonly Node[]) => void,
): void {
  visit(node, ancestors);
  ancestors.push(node);
  for (const key of visitorKeys[node.type] ?? []) {
    // the keys are those of the node's own type, which the compiler cannot follow
    const children = [(node as unknown as Record<string, Node | Node[] | null>)[key]].flat();
    for (const child of children) if (child) walk(child, ancestors, visit);
  }
  ancestors.pop();
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
