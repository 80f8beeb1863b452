import type { ComponentContent } from "../components/component.ts";
import { isObject } from "../is-object.ts";

type Content = NonNullable<ComponentContent["richText"]>;

/**
 * The plain text of a rich text, one line per paragraph, for search and previews. HTML wins over JSON; null
 * without either.
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
 * Removes HTML tags; a `<` without a `>` stays. Takes linear time, even for a text of `<` alone, because it
 * searches only where a `>` follows. A callback per tag would take ten times as long.
 */
function withoutTags(html: string): string {
  const end = html.lastIndexOf(">") + 1;
  return html.slice(0, end).replace(/<[^>]*>/g, "") + html.slice(end);
}

const textOfHtml = (html: readonly string[]) =>
  withoutTags(html.join("\n").replace(/<\/(?:p|div|li|h[1-6])>|<br\s*\/?>/gi, "\n")).replace(
    /&(?:amp|lt|gt|quot|#39|nbsp);/g,
    (entity) => entities[entity] ?? entity,
  );

/** The text of a node of the JSON form: its own, or its children's. A block is a line of its own. */
function textOfNode(node: unknown): string {
  if (!isObject(node)) return "";
  const { kind, type, textContent, children } = node;
  if (type === "line-break") return "\n";
  const text = typeof textContent === "string" ? textContent : textOfChildren(children);
  return kind === "block" ? `\n${text}\n` : text;
}

const textOfChildren = (children: unknown) =>
  Array.isArray(children) ? children.map(textOfNode).join("") : "";

/** The number of visible characters. HTML wins over JSON. */
export function lengthOfText({ html, json }: Content): number {
  if (html !== undefined && html.length > 0)
    return html.reduce((sum, fragment) => sum + lengthOfHtml(fragment), 0);
  return (json ?? []).reduce((sum: number, node) => sum + lengthOfNode(node), 0);
}

function lengthOfHtml(fragment: string): number {
  return withoutTags(fragment).replace(/&#?\w+;/g, "_").length;
}

/** The length of a node of the JSON form: of its own text, or of its children. */
function lengthOfNode(node: unknown): number {
  if (!isObject(node)) return 0;
  const { textContent, children } = node;
  if (typeof textContent === "string") return textContent.length;
  return Array.isArray(children) ? children.reduce((sum: number, child) => sum + lengthOfNode(child), 0) : 0;
}
