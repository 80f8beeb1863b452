const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

/** The text of HTML fragments, one line for each paragraph: for searching and previews, not for showing as HTML. */
export function plainText(html: readonly string[] | null | undefined): string {
  return (html ?? [])
    .join("\n")
    .replace(/<\/(?:p|div|li|h[1-6])>|<br\s*\/?>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
    .replace(/\n{2,}/g, "\n")
    .trim();
}
