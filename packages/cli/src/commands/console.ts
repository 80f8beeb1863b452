import { Command } from "commander";
import { mayAsk } from "../ask.ts";
import { openInBrowser } from "../browser.ts";
import { type Context, json, line, note } from "../context.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../options.ts";
import { requireConsole, signInAddress } from "../service/console.ts";
import { tenantEndpoint } from "../service/tenant-endpoint.ts";

interface ConsoleFlags extends TokenFlags {
  /** False with `--no-open`. */
  open: boolean;
}

/** `lading console <tenant>`: the console of a service in a browser, signed in with the tenant's access token. */
export function command(context: Context): Command {
  const opening = new Command("console")
    .description("Opens the service's console in a browser, signed in with the tenant's access token.")
    .argument("<tenant>", "the tenant's identifier")
    .option("--no-open", "print the URL only")
    .action((tenant: string, flags: ConsoleFlags) => openConsole(context, tenant, flags));
  return withExamples(
    withDetails(
      withToken(opening),
      "The URL signs in one browser, once, within a minute, after a confirmation there. A browser is opened only from " +
        "a terminal.",
    ),
    "lading console acme",
    "lading console acme --no-open   # on a server: open the address on your own machine",
  );
}

async function openConsole(context: Context, tenant: string, flags: ConsoleFlags): Promise<void> {
  const endpoint = await tenantEndpoint(context, tenant, flags);
  await requireConsole(endpoint);
  const { url, expiresAt } = await signInAddress(endpoint);
  if (flags.json) return json(context.stdout, { url, expiresAt });
  line(context.stdout, url);
  const isOpened = flags.open && mayAsk(context, flags) && (await openInBrowser(url));
  note(
    context,
    isOpened
      ? `Opened in your browser: press Enter there to sign in to ${tenant}.`
      : `Open it in a browser once, before ${expiresAt}, and confirm to sign in to ${tenant}.`,
  );
}
