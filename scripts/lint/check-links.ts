// Prints links in the documentation that lead nowhere, and pages that no link leads to; fails when there are any.
import { docLinks, docPages, leadsSomewhere, unreachedPages } from "./doc-links.ts";

const broken = docLinks.filter((link) => !leadsSomewhere(link));
const unreached = unreachedPages();
for (const { from, to, anchor } of broken)
  console.error(`${from}: ${to}${anchor ? `#${anchor}` : ""} is not there`);
for (const page of unreached) console.error(`${page}: no link leads here from the README`);
if (broken.length + unreached.length > 0) process.exitCode = 1;
else console.log(`Checked ${docLinks.length} links of ${docPages.length} pages.`);
