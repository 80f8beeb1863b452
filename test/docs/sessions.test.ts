/** @module-tag release */

import { test } from "vitest";
import { expectSession } from "../support/console-session.ts";
import { opened } from "../support/opened.ts";
import { openService } from "../support/service.ts";
import { blocks, page } from "./pages.ts";

/** A session, on one page or several, with its folder of examples and its tenants; no tenant twice. */
const sessions = [
  {
    files: ["docs/plan.md", "docs/retry.md", "docs/undo.md"],
    examples: "plan-retry-undo",
    tenants: ["acme"],
  },
  { files: ["docs/fixtures.md"], examples: "fixtures", tenants: ["demo"] },
  { files: ["docs/migrate-from-a-spreadsheet.md"], examples: "migrate", tenants: ["shop"] },
  { files: ["docs/spreadsheet.md"], examples: "spreadsheet", tenants: ["harbour"] },
  { files: ["docs/rename-a-component.md"], examples: "rename", tenants: ["meadow"] },
  { files: ["docs/git.md"], examples: "git", tenants: ["orchard"] },
  { files: ["docs/pictures.md"], examples: "pictures", tenants: ["pantry", "larder"] },
  { files: ["docs/promotion.md"], examples: "promotion", tenants: ["production", "development"] },
];
const service = opened(() => openService("pglite"));

test.each(sessions)(
  "the session of $files works as documented",
  async ({ files: pages, examples, tenants }) => {
    const files = new URL(`../../examples/${examples}`, import.meta.url).pathname;
    const session = pages.flatMap((file) => blocks(page(file), "console")).join("");
    await expectSession(session, { service, files, tenants });
  },
  60_000,
);
