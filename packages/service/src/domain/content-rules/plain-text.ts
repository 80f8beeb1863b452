import type { ComponentContent } from "@lading/schema";

type Content = NonNullable<ComponentContent["richText"]>;

/**
 * The text of a rich text, one line for each paragraph: for searching and previews. Where there is both HTML and JSON the
 * HTML counts; null where there is neither.
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
 * HTML without its tags; a `<` that no `>` closes stays. Takes time that grows with the length, of `<` alone too: it is
 * looked for only where a `>` follows. A function for each tag would take ten times as long.
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

/** A node of the JSON form: its own text, or that of its children; blocks are lines of their own. */
function textOfNode(node: unknown): string {
  if (typeof node !== "object" || node === null) return "";
  const { kind, type, textContent, children } = node as Record<string, unknown>;
  if (type === "line-break") return "\n";
  const text = typeof textContent === "string" ? textContent : textOfChildren(children);
  return kind === "block" ? `\n${text}\n` : text;
}

const textOfChildren = (children: unknown) =>
  Array.isArray(children) ? children.map(textOfNode).join("") : "";
