import { plain } from "../context.ts";
import { CliError } from "../exit.ts";
import { type Endpoint, postNextTo, Unreachable, unreachable } from "./graphql.ts";

/** Timeout of the console's page, in milliseconds. */
const pageTimeout = 30_000;

/** @throws CliError when the service has no console: it is turned off, not built or unreachable */
export async function requireConsole({ url, interrupted }: Endpoint): Promise<void> {
  const timeout = AbortSignal.timeout(pageTimeout);
  const signal = interrupted ? AbortSignal.any([timeout, interrupted]) : timeout;
  const response = await fetch(`${url}/console/`, { signal }).catch((error: Error) => {
    if (interrupted?.aborted) throw interrupted.reason;
    throw unreachable(url, error.cause ?? error);
  });
  if (response.ok) return await response.body?.cancel();
  if (response.status === 404) {
    await response.body?.cancel();
    throw new CliError(
      `${url} has no console: it is turned off (LADING_CONSOLE=false), or the service is older than the console`,
    );
  }
  const reason = plain(await response.text().catch(() => "")).slice(0, 300) || response.statusText;
  throw new Unreachable(`${url}/console/ answered ${response.status}: ${reason}`);
}

/**
 * Requests a one-time sign-in code for the endpoint's access token; returns the console's URL with it, and its expiry.
 * The URL is a secret until then.
 * @throws CliError when the service refuses, or answers with something other than a web address
 */
export async function signInAddress(endpoint: Endpoint): Promise<{ url: string; expiresAt: string }> {
  const { url, expiresAt } = await postNextTo(endpoint, "/console-code");
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  // The address is given to a program of the system, which would also open files and other programs.
  if (!address || !/^https?:$/.test(address.protocol))
    throw new CliError(`${endpoint.url} answered without the address of its console`);
  return { url: address.href, expiresAt: plain(String(expiresAt)) };
}
