import { isIP } from "node:net";
import { ImageFetchFailure } from "./fetch-failure.ts";
import { isPublicAddress } from "./public-address.ts";

/** Hosts that images may be fetched from wherever they are, as lower-case names or addresses; IPv6 without brackets. */
export type AllowedHosts = ReadonlySet<string>;

/** The name or address of a host, as `AllowedHosts` has it. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/**
 * The address that a text or a redirect names, relative to where it stands. An address of a host that is written as a
 * number is judged here; a name is judged by what it resolves to, when it does.
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

/** Without what a name resolves to, if to anything: a file must not find out which names a network has inside. */
export const notPublic = (host: string) =>
  `${host} does not lead to a public address and is not among LADING_IMAGE_HOSTS`;
