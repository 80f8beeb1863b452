import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../exit.ts";

/** The page that the tool `intent` reads. */
export const intentsPage = "intents.md";

/** The pages of the documentation that explain how to write a file; the package has them. */
export const pages = {
  "results.md": "What an operation can read of earlier ones: _ref, and templates that name it",
  "templates.md": "Templates: blocks, default variables, and helpers that read the tenant",
  "items.md": "What writes of items and product variants do, also to their published versions",
  "topics-and-flows.md": "What writes of topics and flows do",
  "tenant-settings.md": "Languages, VAT types, price variants, stock locations and more, also in a file",
  "images.md": "How a file names images that the service fetches",
  "pictures.md": "How a file names pictures in its folder",
  "unchanged-since.md": "How an operation does not overwrite what others changed",
  "rename-a-component.md": "Another id of a component in a shape or piece, with the same content",
  "contracts-and-price-lists.md": "What writes of subscription contracts and price lists do",
  "orders.md": "What writes of orders do",
  "plan.md": "What a plan shows, and how it is run",
  "errors.md": "Every name of an error and code of an issue",
  "limits.md": "Limits of files, templates and values",
} as const;

/** The documentation: next to the folder of the bundle, and in a clone its own. */
export const docsFolder = join(import.meta.dirname, "../../../../docs");

/** Reads a page. @throws CliError in a package without them */
export function readPage(name: string): string {
  const file = join(docsFolder, name);
  if (!existsSync(file)) throw new CliError(`this installation has no ${name}: install the package again`);
  return readFileSync(file, "utf8");
}
