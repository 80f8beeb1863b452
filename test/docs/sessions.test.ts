/** @module-tag release */

import { afterAll, beforeAll, test } from "vitest";
import { expectSession } from "../support/console-session.ts";
import { openService, type TestService } from "../support/service.ts";
import { blocks, page } from "./pages.ts";

/** Pages with a session, the folder of examples that it uses, and the tenants that there are; no tenant twice. */
const sessions = [
  { file: "docs/before-and-after.md", examples: "before-and-after", tenants: ["acme"] },
  { file: "docs/fixtures.md", examples: "fixtures", tenants: ["demo"] },
  { file: "docs/migrate-from-a-spreadsheet.md", examples: "migrate", tenants: ["shop"] },
  { file: "docs/promotion.md", examples: "promotion", tenants: ["production", "development"] },
];

let service: TestService;
beforeAll(async () => {
  service = await openService("pglite");
});
afterAll(() => service.close());

test.each(sessions)(
  "the session of $file goes as the page says",
  async ({ file, examples, tenants }) => {
    const files = new URL(`../../examples/${examples}`, import.meta.url).pathname;
    const session = blocks(page(file), "console").join("");
    await expectSession(session, { service, files, tenants });
  },
  60_000,
);
