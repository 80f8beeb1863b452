/** Writes one XML document, as S3 answers: an element with text elements in it. Text is escaped. */
export function xmlDocument(name: string, children: Record<string, string>): string {
  const lines = Object.entries(children).map(
    ([child, text]) => `  <${child}>${escapeXml(text)}</${child}>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>\n${lines.join("")}</${name}>\n`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text. Characters that XML 1.0 excludes (control characters, unpaired surrogates) become U+FFFD. */
function escapeXml(text: string): string {
  const valid = text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
  return valid.replace(/[&<>"]/g, (character) => entities[character]!);
}
