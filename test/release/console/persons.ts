import type { Page } from "playwright-core";
import { lading } from "../../../packages/cli/test/support/lading.ts";
import { openPostgres } from "../../../packages/service/src/storage/engines/postgres.ts";
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from "../../support/servers/identity-provider.ts";
import { freePort } from "../../support/servers/port.ts";
import { type ConsoleBrowser, openConsole } from "./browser.ts";

/** A console at which persons sign in; nobody is signed in. */
export interface PersonConsole extends ConsoleBrowser {
  idp: IdentityProvider;
  /** The URL of a path below `/console`. */
  at(path: string): string;
  /** Gives the members of a group a role in the tenant. */
  map(group: string, role: "reader" | "planner" | "admin"): Promise<void>;
  /** Follows the link to the provider, and waits for the page that it leads back to. */
  signIn(page: Page, path: string): Promise<void>;
  /** Runs a statement on the service's database. */
  execute(statement: string): Promise<void>;
}

/** Starts a provider that is another site than the service: the browser treats the way between them as such. */
export async function openPersonConsole(): Promise<PersonConsole> {
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const idp = await startIdentityProvider(publicUrl);
  const browser = await openConsole({
    ...{ port, publicUrl },
    ...{ oidcIssuer: idp.issuer, oidcClientId: clientId, oidcClientSecret: clientSecret },
  });
  const { service, page } = browser;
  await page.context().clearCookies();
  const database = openPostgres(service.databaseUrl ?? "");
  const operator = ["--url", service.url, "--operator-token", service.operatorToken];
  const console: PersonConsole = {
    ...{ ...browser, idp },
    at: (path) => `${publicUrl}/console${path}`,
    async open(path) {
      await page.goto(console.at(path));
    },
    async map(group, role) {
      const { code, stderr } = await lading([
        ...["group", "map", group, "--tenant", "shop", "--role", role],
        ...operator,
      ]);
      if (code !== 0) throw new Error(stderr);
    },
    async signIn(tab, path) {
      await tab.goto(console.at(path));
      await tab.getByRole("link", { name: /^Sign in with/ }).click();
      await tab.waitForURL(console.at(path));
    },
    async execute(statement) {
      await database.execute(statement);
    },
    async close() {
      await database.close();
      await browser.close();
      await idp.close();
    },
  };
  return console;
}
