// `npm run console:shots`: the documentation's images of the console, for a shop that it seeds. With `--
// --all <folder>` every page in both themes and four widths, to be reviewed; `--only task,item` takes some of
// them, `--built` takes the console as last built.
import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium } from "playwright-core";
import { chromiumPath } from "../test/release/console/chromium.ts";
import { type Seeded, seed, tenantIdentifier, worldIdentifier } from "./console-shots/seed.ts";
import { type Shot, shots, type Theme } from "./console-shots/shots.ts";

/** The size of an image in the documentation. */
const docsSize = { width: 1_120, height: 640 };

const { values } = parseArgs({
  options: {
    all: { type: "string" },
    only: { type: "string" },
    into: { type: "string" },
    built: { type: "boolean" },
  },
});
const folder = values.all ?? values.into ?? join(import.meta.dirname, "../docs/screenshots");

if (chromiumPath === undefined)
  throw new Error("Chromium is missing: install Debian's, or set CHROMIUM to its path");
await mkdir(folder, { recursive: true });
if (!values.built) execFileSync("npm", ["run", "--silent", "build:console"], { stdio: "inherit" });
const browser = await chromium.launch({
  executablePath: chromiumPath,
  // Grey instead of coloured edges of letters look the same everywhere, and make smaller files.
  args: ["--no-sandbox", "--disable-lcd-text"],
});
try {
  console.log("Seeding a shop …");
  const shop = await seed({ withWorld: shots.some((shot) => shot.ofWorld && isWanted(shot)) });
  try {
    const context = await signedIn(shop);
    for (const shot of shots) if (isWanted(shot)) await take(context, shop, shot);
  } finally {
    await shop.close();
  }
} finally {
  await browser.close();
}

function isWanted({ name, inDocs }: Shot): boolean {
  if (values.only !== undefined) return values.only.split(",").includes(name);
  return values.all !== undefined || inDocs !== undefined;
}

/** A browser context with a session of the tenants. */
async function signedIn({ service, tenant, world }: Seeded): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: docsSize, locale: "en-GB" });
  const signIn = async (identifier: string, { accessTokenId, accessTokenSecret }: typeof tenant.access) => {
    const answer = await context.request.post(`${service.url}/console/session`, {
      headers: { "sec-fetch-site": "same-origin" },
      data: { tenant: identifier, accessTokenId, accessTokenSecret },
    });
    if (!answer.ok()) throw new Error(await answer.text());
  };
  await signIn(tenantIdentifier, tenant.access);
  if (world !== undefined) await signIn(worldIdentifier, world.access);
  return context;
}

/** Opens a page, and writes a screenshot of it. */
async function take(
  context: BrowserContext,
  shop: Seeded,
  { name, path, ready, act, inDocs, ofWorld }: Shot,
): Promise<void> {
  const page = await context.newPage();
  const tenant = ofWorld ? worldIdentifier : tenantIdentifier;
  await page.goto(`${shop.service.url}/console/@${tenant}${path(shop)}`);
  await page.getByText(ready).filter({ visible: true }).first().waitFor();
  await act?.(page);
  await page.waitForFunction(() => document.querySelector("[class*=pending], [aria-label=Loading]") === null);
  for (const { theme, size, file } of values.all === undefined
    ? [looksInDocs(name, inDocs)]
    : allLooks(name)) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: theme });
    await page.screenshot({ path: join(folder, `${file}.png`), animations: "disabled" });
  }
  console.log(name);
  await page.close();
}

interface Look {
  theme: Theme;
  size: { width: number; height: number };
  file: string;
}

function looksInDocs(name: string, theme: Theme = "light"): Look {
  return { theme, size: docsSize, file: name };
}

function allLooks(name: string): Look[] {
  return [1_440, 1_280, 800, 390].flatMap((width) =>
    (["light", "dark"] as const).map((theme) => ({
      ...{ theme, size: { width, height: 760 } },
      file: `${name}-${theme}-${width}`,
    })),
  );
}
