import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** The hosts that may be reached although their addresses are not public. */
export interface AllowedHosts {
  /** Lower-case names or addresses; IPv6 without brackets. */
  readonly hosts: ReadonlySet<string>;
  /** The setting that lists them, for messages. */
  readonly setting: string;
}

/** Makes `AllowedHosts` of the values of a setting. */
export const allowedHosts = (hosts: readonly string[], setting: string): AllowedHosts => ({
  hosts: new Set(hosts.map((host) => host.toLowerCase().replace(/^\[|\]$/g, ""))),
  setting,
});

/** A URL that may not be reached; the message is the reason, without the URL. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

/** The name or address of a host, as `AllowedHosts` has it. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/**
 * Reads a URL, which may be relative to `base`. A host that is an IP address is checked here; the addresses of a name
 * are checked when it is resolved.
 * @throws TargetRefused when it is not a URL of http or https, has credentials, or is not a public address
 */
export function targetOf(text: string, allowed: AllowedHosts, base?: URL): URL {
  if (!URL.canParse(text, base)) throw new TargetRefused("this is not a URL");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TargetRefused(`only http and https are supported, not ${url.protocol.slice(0, -1)}`);
  if (url.username !== "" || url.password !== "")
    throw new TargetRefused("a URL with a name or a password in it is refused");
  const host = hostOf(url);
  if (isIP(host) !== 0 && !allowed.hosts.has(host) && !isPublicAddress(host))
    throw new TargetRefused(notPublic(host, allowed));
  return url;
}

/** Does not say what a name resolves to: nobody must find out which names exist inside a network. */
export const notPublic = (host: string, { setting }: AllowedHosts) =>
  `${host} does not lead to a public address and is not among ${setting}`;
