import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const mono = { fontFamily: "var(--mono)" };
const edge = "1px solid var(--line)";
const control = {
  border: "1px solid var(--line-strong)",
  borderRadius: "var(--radius)",
  background: "var(--surface)",
  color: "var(--ink)",
  fontSize: "12px",
};

/** The editor's theme, from the console's colours, which follow the system's light or dark mode. */
const look = EditorView.theme({
  "&": { height: "100%", background: "var(--surface)", color: "var(--ink)", fontSize: "12.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { ...mono, lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)", padding: "6px 0" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { background: "var(--ground)", color: "var(--muted)", borderRight: edge },
  ".cm-activeLine": { background: "color-mix(in srgb, var(--hover) 60%, transparent)" },
  ".cm-activeLineGutter": { background: "var(--selected)", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    background: "var(--selected)",
    color: "inherit",
  },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { background: "var(--bad-ground)" },
  ".cm-foldPlaceholder": {
    border: edge,
    background: "var(--hover)",
    color: "var(--muted)",
    padding: "0 4px",
  },
  ".cm-panels": { background: "var(--raised)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels.cm-panels-top": { borderBottom: edge },
  ".cm-textfield, .cm-button": { ...control, backgroundImage: "none" },
  ".cm-searchMatch": { background: "var(--warn-ground)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected": { background: "var(--selected)" },
  ".cm-tooltip": {
    border: edge,
    borderRadius: "var(--radius)",
    background: "var(--raised)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { ...mono, fontSize: "12px", maxHeight: "16em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 10px 2px 8px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--selected)", color: "var(--ink)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionIcon": { display: "none" },
  ".cm-tooltip.cm-completionInfo": { maxWidth: "26rem", padding: "6px 10px", fontSize: "12px" },
  ".cm-diagnostic": { padding: "4px 10px", fontSize: "12px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-diagnosticSource": { color: "var(--muted)", opacity: "1" },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

export const theme: Extension = [look, syntaxHighlighting(colours)];
