import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Public addresses at some ports, and the hosts listed by a setting, whatever their address and port. */
export interface AllowedHosts {
  /** Lower-case names or addresses; IPv6 without brackets. */
  readonly hosts: ReadonlySet<string>;
  /** The setting that lists them, for messages. */
  readonly setting: string;
  /** Allowed ports of any host. */
  readonly ports: ReadonlySet<number>;
}

/** Default ports, which URLs omit. */
const usualPorts = { "http:": 80, "https:": 443 } as const;

/** Makes `AllowedHosts` from a setting's values and additional ports. */
export const allowedHosts = (
  hosts: readonly string[],
  setting: string,
  ports: readonly number[] = [],
): AllowedHosts => ({
  hosts: new Set(hosts.map((host) => host.toLowerCase().replace(/^\[|\]$/g, ""))),
  setting,
  ports: new Set([...Object.values(usualPorts), ...ports]),
});

/** A URL that may not be requested; the message is the reason, without the URL. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

/** A host's name or address, as in `AllowedHosts`. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/**
 * Parses a URL, which may be relative to `base`. A host that is an IP address is checked here; a name's addresses are
 * checked when it is resolved.
 * @throws TargetRefused when it is not an http or https URL, has credentials, is not a public address, or names a port
 * that is not allowed
 */
export function targetOf(text: string, allowed: AllowedHosts, base?: URL): URL {
  if (!URL.canParse(text, base)) throw new TargetRefused("this is not a URL");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TargetRefused(`only http and https are supported, not ${url.protocol.slice(0, -1)}`);
  if (url.username !== "" || url.password !== "")
    throw new TargetRefused("a URL with a name or a password in it is refused");
  const host = hostOf(url);
  if (allowed.hosts.has(host)) return url;
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new TargetRefused(notPublic(host, allowed));
  const port = Number(url.port || usualPorts[url.protocol]);
  if (!allowed.ports.has(port))
    throw new TargetRefused(
      `port ${port} is not among ${[...allowed.ports].join(", ")}, to which LADING_OUTBOUND_PORTS can add others`,
    );
  return url;
}

/** Doesn't say what a name resolves to: nobody may probe which names exist inside a network. */
export const notPublic = (host: string, { setting }: AllowedHosts) =>
  `${host} does not lead to a public address and is not among ${setting}`;
