import { lookup as resolve } from "node:dns";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";
import { type AllowedHosts, notPublic } from "./target.ts";

/** Finds the addresses of a host name, as `dns.lookup` does with `all`. */
export type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

export interface ConnectionOptions {
  allowed: AllowedHosts;
  perHost: number;
  /** False: one connection per request. Default: true. */
  keepAlive?: boolean;
  /** Default: the system's. */
  resolve?: Resolve;
}

export interface Connections {
  agentFor(url: URL): HttpAgent;
  close(): void;
}

/** A name resolves to nothing, or to an address that is not public. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Connects to public addresses only. A name is resolved when a connection is opened, all its addresses are checked, and
 * the connection goes to one of them, so later changes in DNS don't matter.
 */
export function guardedConnections({
  allowed,
  perHost,
  keepAlive = true,
  resolve: find = resolve,
}: ConnectionOptions): Connections {
  const options = {
    keepAlive,
    maxSockets: perHost,
    maxFreeSockets: perHost,
    lookup: guardedLookup(allowed, find),
  };
  const [http, https] = [new HttpAgent(options), new HttpsAgent(options)];
  return {
    agentFor: ({ protocol }) => (protocol === "https:" ? https : http),
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}

function guardedLookup(allowed: AllowedHosts, find: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    find(hostname, { all: true }, (error, addresses) => {
      const isAllowed = allowed.hosts.has(hostname.toLowerCase().replace(/\.$/, ""));
      if (error && (isAllowed || error.code !== "ENOTFOUND")) return callback(error, "");
      const [first] = addresses ?? [];
      // A name without an address fails like an internal one, with the same message and as fast.
      if (!isAllowed && (!first || addresses.some(({ address }) => !isPublicAddress(address))))
        return callback(new AddressRefused(notPublic(hostname, allowed)), "");
      if (first === undefined) return callback(new Error(`${hostname} has no address`), "");
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
