import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintGutter, nextDiagnostic, previousDiagnostic } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { EditorSelection, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from "react";
import type { CheckReport } from "../worker/jobs.ts";
import { completion } from "./completion.ts";
import { mark, positionIn } from "./markers.ts";
import { theme } from "./theme.ts";

export interface EditorHandle {
  /** Moves to a position of the text and takes the focus. */
  goTo(line: number, column: number): void;
  /** Replaces the text as if typed, with the cursor at an offset. */
  write(text: string, cursor: number): void;
}

interface EditorProps {
  /** The initial text. To open another file, render another editor with another key. */
  text: string;
  label: string;
  issues: CheckReport["issues"];
  /** Called after each change with a function that reads the text. */
  onEdit: (read: () => string) => void;
  ref: Ref<EditorHandle>;
}

/** An editor of mass operation files, with markers at issues, and completion. */
export function Editor({ text, label, issues, onEdit, ref }: EditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const onChange = useEffectEvent(onEdit);
  const begin = useEffectEvent((edited: Extension) =>
    EditorState.create({ doc: text, extensions: [...extensionsOf(label), edited] }),
  );
  useEffect(() => {
    if (container.current === null) return;
    const edited = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onChange(() => state.sliceDoc());
    });
    const made = new EditorView({ state: begin(edited), parent: container.current });
    view.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    if (view.current !== undefined) mark(view.current, issues);
  }, [issues]);
  useImperativeHandle(ref, () => handleOf(view), []);
  return <div ref={container} style={{ height: "100%" }} />;
}

function handleOf(view: { current: EditorView | undefined }): EditorHandle {
  return {
    goTo(line, column) {
      const editor = view.current;
      if (editor === undefined) return;
      const selection = EditorSelection.cursor(positionIn(editor.state.doc, line, column));
      editor.dispatch({ selection, effects: EditorView.scrollIntoView(selection, { y: "center" }) });
      editor.focus();
    },
    write(text, cursor) {
      const editor = view.current;
      const end = editor?.state.doc.length ?? 0;
      editor?.dispatch({ changes: { from: 0, to: end, insert: text }, selection: { anchor: cursor } });
      editor?.focus();
    },
  };
}

const extensionsOf = (label: string): Extension[] => [
  EditorView.cspNonce.of(document.querySelector("script")?.nonce ?? ""),
  [lineNumbers(), lintGutter(), foldGutter(), highlightActiveLine(), highlightActiveLineGutter()],
  [history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), search({ top: true })],
  [json(), completion, theme],
  placeholder("Drop a file here, paste one, or type"),
  EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" }),
  keymap.of([
    { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...searchKeymap,
    ...foldKeymap,
    indentWithTab,
  ]),
];
