import { ensureSyntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

/** A part of a text that is a file of its own, and what has to be added to an offset in the text for one in it. */
interface FileExcerpt {
  text: string;
  shift: number;
}

/** Time that the syntax of a text may take, in milliseconds. */
const syntaxTime = 200;
/** Most characters of an excerpt: the work on one key stroke is bounded. */
const longest = 256 * 1024;

const head = '{"version":"1.0.0","operations":[';
const tail = "]}";

/**
 * The operation that a position is in, as a file that has no other, or the whole text where it is in none. Undefined
 * for what is too long.
 */
export function excerptAround(state: EditorState, position: number): FileExcerpt | undefined {
  let node = ensureSyntaxTree(state, position, syntaxTime)?.resolveInner(position, -1) ?? null;
  // An operation is the outermost object within a list: File > Object > Property > Array > Object.
  let operation: { from: number; to: number } | undefined;
  for (; node !== null; node = node.parent)
    if (node.name === "Object" && node.parent?.name === "Array") operation = node;
  if (operation === undefined) return fitting({ text: state.sliceDoc(), shift: 0 });
  const text = `${head}${state.sliceDoc(operation.from, operation.to)}${tail}`;
  return fitting({ text, shift: head.length - operation.from });
}

const fitting = (excerpt: FileExcerpt) => (excerpt.text.length <= longest ? excerpt : undefined);
