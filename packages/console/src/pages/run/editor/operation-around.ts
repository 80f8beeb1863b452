import { ensureSyntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

/** A part of a text that is a file of its own, and the offset to add to map it back to the text. */
interface FileExcerpt {
  text: string;
  shift: number;
}

/** Time limit for parsing a text, in milliseconds. */
const syntaxTime = 200;
/** Maximum characters of an excerpt, which bounds the work per keystroke. */
const longest = 256 * 1024;

const head = '{"version":"1.0.0","operations":[';
const tail = "]}";

/**
 * The operation around a position, as a file with no other, or the whole text outside of operations.
 * Undefined if it is too long.
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
