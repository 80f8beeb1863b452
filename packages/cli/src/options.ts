import { type Command, InvalidArgumentError, Option } from "commander";

export const defaultUrl = "http://127.0.0.1:4000";

export interface ServiceFlags {
  url: string;
  interactive: boolean;
}

export interface TokenFlags extends ServiceFlags {
  tokenId?: string;
  tokenSecret?: string;
}

/** Options of every command that talks to a service. */
export function withService(command: Command): Command {
  return withInteractive(
    command.addOption(
      new Option("--url <url>", "the service").env("LADING_URL").default(defaultUrl).argParser(serviceUrl),
    ),
  );
}

/** Options of every command that acts for a tenant. */
export function withToken(command: Command): Command {
  return withService(command)
    .addOption(new Option("--token-id <id>", "access token").env("LADING_ACCESS_TOKEN_ID"))
    .addOption(
      new Option("--token-secret <secret>", "access token's secret").env("LADING_ACCESS_TOKEN_SECRET"),
    );
}

export function withInteractive(command: Command): Command {
  return command.option("--no-interactive", "never ask, no progress bar (for CI)");
}

/** The address of a service in the form that credentials are kept under: no slash at its end. */
export function serviceUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError(`"${text}" is not an http:// or https:// address, such as ${defaultUrl}.`);
  }
  return new URL(text).href.replace(/\/+$/, "");
}

export function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a port: a number from 0 to 65535, 0 for any free one.`);
}
