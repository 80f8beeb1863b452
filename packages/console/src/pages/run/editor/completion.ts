import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
import { inWorker } from "../worker/client.ts";
import type { Suggestion } from "../worker/jobs.ts";
import { excerptAround } from "./operation-around.ts";
import { insertionOf } from "./snippet.ts";

/** Completes what is typed by the JSON Schema of mass operation files. */
export const completion = autocompletion({ override: [complete], activateOnTypingDelay: 150 });

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  // A comma or a bracket starts something new that nobody has begun to write.
  if (!explicit && context.matchBefore(/["\w$]/) === null) return null;
  const excerpt = excerptAround(state, pos);
  if (excerpt === undefined) return null;
  const controller = new AbortController();
  context.addEventListener("abort", () => controller.abort(), { onDocChange: true });
  const input = { text: excerpt.text, offset: pos + excerpt.shift };
  const suggestions = await inWorker("complete", input, controller).catch(() => []);
  const [first] = suggestions;
  if (first === undefined || context.aborted) return null;
  const isQuoted = excerpt.text.charAt(first.from) === '"';
  return {
    from: first.from - excerpt.shift,
    options: suggestions
      .filter(({ from }) => from === first.from)
      .map((suggestion) => optionOf(suggestion, suggestion.to - input.offset, isQuoted)),
    validFor: isQuoted ? /^"[\w$/.-]*$/ : /^[\w$/.-]*$/,
  };
}

/**
 * @param after characters behind the cursor that the suggestion replaces, such as an auto-closed quote
 * @param isQuoted true if a quote was typed, which the suggestion includes too
 */
function optionOf(suggestion: Suggestion, after: number, isQuoted: boolean): Completion {
  const { label, filterText, snippet, documentation, leadsOn } = suggestion;
  return {
    label: isQuoted ? filterText : filterText.replace(/^"/, ""),
    displayLabel: label,
    ...(documentation !== "" && { info: documentation }),
    apply: (view, picked, from, to) => {
      const insertion = insertionOf(snippet);
      view.dispatch({
        changes: {
          from,
          to: Math.min(to + Math.max(after, 0), view.state.doc.length),
          insert: insertion.text,
        },
        selection: { anchor: from + insertion.from, head: from + insertion.to },
        annotations: pickedCompletion.of(picked),
        userEvent: "input.complete",
        scrollIntoView: true,
      });
      if (leadsOn) startCompletion(view);
    },
  };
}
