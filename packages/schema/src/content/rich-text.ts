import type { ComponentContent } from "../components/component.ts";
import { isObject } from "../is-object.ts";
import { withoutTags } from "./plain-text.ts";

type Content = NonNullable<ComponentContent["richText"]>;

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
