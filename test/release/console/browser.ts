import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { ServiceOptions } from "../../../packages/service/src/index.ts";
import type { Access, TenantClient } from "../../support/client.ts";
import { openService, type TestService } from "../../support/service.ts";
import { chromiumPath } from "./chromium.ts";

/** A suite of the console in a browser; skipped without Chromium. */
export const describeConsole = (name: string, suite: () => void) =>
  describe.skipIf(chromiumPath === undefined)(`${name} (needs Chromium)`, suite);

/** Viewport widths, in pixels. */
const widths = [1_280, 800] as const;

/** A service with the console just built, and a browser signed in to a tenant. */
export interface ConsoleBrowser {
  service: TestService;
  tenant: TenantClient;
  page: Page;
  /** Violations of the page's policy, errors of scripts, and failed requests. */
  reports: string[];
  /** Opens an address below `/console`. */
  open(path: string): Promise<void>;
  press(...keys: string[]): Promise<void>;
  /** Fails if axe finds anything on the current page, in either theme. */
  expectAccessible(): Promise<void>;
  /** Writes screenshots in both themes and widths into the folder `CONSOLE_SHOTS`, if set. */
  shoot(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a service with a tenant `shop`, and signs a browser in to it. */
export async function openConsole(
  options: ServiceOptions = {},
  engine: Parameters<typeof openService>[0] = "postgresql",
): Promise<ConsoleBrowser> {
  const service = await openService(engine, { rateLimit: 0, ...options });
  const tenant = await service.tenant("shop");
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--js-flags=--expose-gc"],
  });
  const context = await browser.newContext({ viewport: { width: widths[0], height: 800 } });
  const reports: string[] = [];
  const page = await watchedPage(context, reports);
  const open = async (path: string) => {
    await page.goto(`${service.url}/console${path}`);
  };
  await signIn(context, service.url, tenant.access);
  return {
    ...{ service, tenant, page, reports, open },
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    expectAccessible: () => expectAccessible(page),
    shoot: (name) => shoot(page, name),
    close: () => closeAll(browser, service),
  };
}

async function watchedPage(context: BrowserContext, reports: string[]): Promise<Page> {
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") reports.push(message.text());
  });
  page.on("pageerror", (error) => reports.push(error.message));
  return page;
}

async function signIn(
  context: BrowserContext,
  url: string,
  { accessTokenId, accessTokenSecret }: Access,
): Promise<void> {
  const answer = await context.request.post(`${url}/console/session`, {
    headers: { "sec-fetch-site": "same-origin" },
    data: { tenant: "shop", accessTokenId, accessTokenSecret },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules to check in each theme, since themes differ only in colours. */
const checked = { light: "{}", dark: '{ runOnly: ["color-contrast", "link-in-text-block"] }' } as const;

async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const found =
      await page.evaluate(`axe.run(${checked[colorScheme]}).then(({ violations }) => violations.map(
      ({ id, help, nodes }) => id + ": " + help + ": " + nodes.map(({ html }) => html.slice(0, 200)).join(" | ")))`);
    expect(found, colorScheme).toEqual([]);
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_SHOTS;
  if (folder === undefined) return;
  for (const width of widths)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: join(folder, `${name}-${colorScheme}-${width}.png`),
        animations: "disabled",
      });
    }
  await page.setViewportSize({ width: widths[0], height: 800 });
}

async function closeAll(browser: Browser, service: TestService): Promise<void> {
  await browser.close();
  await service.close();
}
