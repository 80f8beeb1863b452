import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { settings } from "@lading/service/settings";
import type { Context } from "../context.ts";
import { secretText } from "../environment.ts";
import { CliError } from "../exit.ts";
import type { OperatorFlags } from "../options.ts";
import { type Endpoint, requireService } from "./graphql.ts";

/** Returns the operator's API, with the token of the options, the environment or the service's data folder. */
export async function operatorEndpoint(context: Context, flags: OperatorFlags): Promise<Endpoint> {
  return {
    url: flags.url,
    path: "/operator",
    headers: { authorization: `Bearer ${await operatorToken(context, flags)}` },
  };
}

async function operatorToken(
  { interrupted }: Context,
  { operatorToken, dataDir, url }: OperatorFlags,
): Promise<string> {
  const configured = secretText(operatorToken, settings.operatorToken);
  if (configured) return configured;
  const path = join(dataDir, "operator-token");
  const token = await readFile(path, "utf8").catch(async (error: NodeJS.ErrnoException) => {
    // A token does not help where no service is.
    await requireService(url, interrupted);
    throw new CliError(
      `this needs the operator's token: ${path} cannot be read (${error.code}). Name the service's data ` +
        "folder with --data-dir, or give --operator-token or LADING_OPERATOR_TOKEN.",
    );
  });
  return token.trim();
}
