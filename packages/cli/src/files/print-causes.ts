import type { Cause, Causes } from "@lading/schema/internal";
import { type Context, counted, line, note, paint, plain, type Sink } from "../context.ts";

type Kind = keyof typeof kinds;
type Listed<Example> = Pick<Causes<Kind, Example>, "list">;

/** The kinds of problems: what several are called, and their colour. */
const kinds = {
  error: ["error", "red"],
  warning: ["warning", "yellow"],
  failure: ["failure", "red"],
  partial: ["partial operation", "yellow"],
} as const;

/** Prints problems by cause. Below a cause with several problems are their number and examples. */
export function printCauses<Example>(
  context: Context,
  sink: Sink,
  causes: Listed<Example>,
  textOf: (example: Example) => string,
): void {
  for (const cause of causes.list()) {
    const margin = hasMore(cause) ? "  " : "";
    if (hasMore(cause)) line(sink, causeText(sink, cause));
    for (const example of cause.examples) line(sink, margin + textOf(example));
  }
  if (isShortened(causes)) note(context, "--all prints each.");
}

/** Prints the causes of which only the first operations were printed during the run. */
export function printRepeated(sink: Sink, causes: Listed<number>): void {
  for (const cause of causes.list().filter(hasMore))
    line(sink, `${causeText(sink, cause)} (such as operations ${cause.examples.join(", ")})`);
}

/** True if only examples of some problems are printed. */
export const isShortened = (causes: Listed<unknown>): boolean => causes.list().some(hasMore);

const hasMore = ({ count, examples }: Cause<Kind, unknown>) => count > examples.length;

/** `5,000 errors: no item has the SKU "…"` */
function causeText(sink: Sink, { kind, text, field, count }: Cause<Kind, unknown>): string {
  const [noun, style] = kinds[kind];
  const number = paint(sink, style, counted(count, noun));
  if (text === null) return `${number} of other causes`;
  const where = field === undefined ? "" : ` in ${plain(JSON.stringify(field))}`;
  return `${number}${where}: ${plain(text)}`;
}
