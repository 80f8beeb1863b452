import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { EditorState, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { CheckReport } from "../worker/jobs.ts";

type Issue = CheckReport["issues"][number];

/** Marks the positions of issues in the text. */
export function mark(view: EditorView, issues: readonly Issue[]): void {
  view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, issues)));
}

function diagnosticsOf({ doc }: EditorState, issues: readonly Issue[]): Diagnostic[] {
  return issues.flatMap(({ severity, message, code, line, column }) => {
    if (line === null || column === null) return [];
    const from = positionIn(doc, line, column);
    return { from, to: from + tokenLength(doc, from), severity, message, source: code };
  });
}

/** The position of a line and column; the nearest one if the text has become shorter. */
export function positionIn(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}

/** A string, a number, a word, or any other single character. */
const token = /^(?:"(?:[^"\\]|\\.)*"?|[\w.+-]+|\S)/;

/** Maximum characters of a marked token. */
const longestMark = 200;

function tokenLength(doc: Text, from: number): number {
  const { to } = doc.lineAt(from);
  const [found = ""] = token.exec(doc.sliceString(from, Math.min(to, from + longestMark))) ?? [];
  return found.length;
}
