import type { ComponentContent } from "../components/component.ts";

type Content = NonNullable<ComponentContent["richText"]>;

/**
 * The plain text of a rich text, one line for each paragraph, for searching and previews. HTML counts if there is both
 * HTML and JSON; null if there is neither.
 */
export function plainTextOf({ html, json }: Content): string | null {
  if (html === undefined && json === undefined) return null;
  const text =
    html !== undefined && html.length > 0 ? textOfHtml(html) : (json ?? []).map(textOfNode).join("\n");
  return text.replace(/\n{2,}/g, "\n").trim();
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

/**
 * Removes the tags of HTML; a `<` without a `>` stays. It needs linear time, even for a text of `<` alone, because it
 * searches only the part in which a `>` follows. Calling a function for each tag would take ten times as long.
 */
export function withoutTags(html: string): string {
  const end = html.lastIndexOf(">") + 1;
  return html.slice(0, end).replace(/<[^>]*>/g, "") + html.slice(end);
}

const textOfHtml = (html: readonly string[]) =>
  withoutTags(html.join("\n").replace(/<\/(?:p|div|li|h[1-6])>|<br\s*\/?>/gi, "\n")).replace(
    /&(?:amp|lt|gt|quot|#39|nbsp);/g,
    (entity) => entities[entity] ?? entity,
  );

/** The text of a node of the JSON form: its own, or that of its children. A block is a line of its own. */
function textOfNode(node: unknown): string {
  if (typeof node !== "object" || node === null) return "";
  const { kind, type, textContent, children } = node as Record<string, unknown>;
  if (type === "line-break") return "\n";
  const text = typeof textContent === "string" ? textContent : textOfChildren(children);
  return kind === "block" ? `\n${text}\n` : text;
}

const textOfChildren = (children: unknown) =>
  Array.isArray(children) ? children.map(textOfNode).join("") : "";
