import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const docPages: readonly string[] = [
  ...["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md"],
  ...globSync(["docs/**/*.md", "packages/*/README.md"]),
];

/** A link within the documentation; `anchor` without its `#`. */
export interface DocLink {
  from: string;
  to: string;
  anchor: string | undefined;
}

export const docLinks: readonly DocLink[] = docPages.flatMap((from) =>
  [...readFileSync(from, "utf8").matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(
    ([, path, anchor]) => ({
      from,
      to: path ? join(dirname(from), path) : from,
      anchor,
    }),
  ),
);

/** True if the page exists and, if the link names one, the heading. */
export function leadsSomewhere({ to, anchor }: DocLink): boolean {
  return existsSync(to) && (anchor === undefined || anchorsOf(to).includes(anchor));
}

export function unreachedPages(): string[] {
  const reached = new Set(["README.md"]);
  for (const from of reached) for (const link of docLinks) if (link.from === from) reached.add(link.to);
  return docPages.filter((page) => !reached.has(page));
}

/** A page's anchors, made from its headings as GitHub does. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const broken = docLinks.filter((link) => !leadsSomewhere(link));
  const unreached = unreachedPages();
  for (const { from, to, anchor } of broken)
    console.error(`${from}: ${to}${anchor ? `#${anchor}` : ""} does not exist`);
  for (const page of unreached) console.error(`${page}: no link leads here from the README`);
  if (broken.length + unreached.length > 0) process.exitCode = 1;
  else console.log(`Checked ${docLinks.length} links of ${docPages.length} pages.`);
}
