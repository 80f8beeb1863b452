import { isIP } from "node:net";
import { ImageFetchFailure } from "./fetch-failure.ts";
import { isPublicAddress } from "./public-address.ts";

/** Hosts that may have any address, as lower-case names or addresses; IPv6 without brackets. */
export type AllowedHosts = ReadonlySet<string>;

/** The name or address of a host, as `AllowedHosts` has it. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/**
 * Reads a URL, which may be relative to `base`. A host that is an IP address is checked here; the addresses of a name
 * are checked when it is resolved.
 * @throws ImageFetchFailure when it is not a URL of http or https, has credentials, or is not a public address
 */
export function targetOf(text: string, allowed: AllowedHosts, base?: URL): URL {
  if (!URL.canParse(text, base)) throw new ImageFetchFailure(text, "this is not a URL");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new ImageFetchFailure(
      url.href,
      `only http and https are fetched, not ${url.protocol.slice(0, -1)}`,
    );
  if (url.username !== "" || url.password !== "")
    throw new ImageFetchFailure(url.href, "a URL with a name or a password in it is not fetched");
  const host = hostOf(url);
  if (isIP(host) !== 0 && !allowed.has(host) && !isPublicAddress(host))
    throw new ImageFetchFailure(url.href, notPublic(host));
  return url;
}

/** Does not say what a name resolves to: a file must not find out which names exist inside a network. */
export const notPublic = (host: string) =>
  `${host} does not lead to a public address and is not among LADING_IMAGE_HOSTS`;
