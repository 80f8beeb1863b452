import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The pages of the documentation, by their paths from the root. */
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

/** True when the page, and the heading if the link names one, exist. */
export function leadsSomewhere({ to, anchor }: DocLink): boolean {
  return existsSync(to) && (anchor === undefined || anchorsOf(to).includes(anchor));
}

/** Pages that cannot be reached from the README by links. */
export function unreachedPages(): string[] {
  const reached = new Set(["README.md"]);
  for (const from of reached) for (const link of docLinks) if (link.from === from) reached.add(link.to);
  return docPages.filter((page) => !reached.has(page));
}

/** The anchors of a page, made from its headings as GitHub does. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
