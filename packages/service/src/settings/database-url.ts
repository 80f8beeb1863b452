import { isIPv6 } from "node:net";

export interface DatabaseHost {
  /** Host and port for messages, such as `db1:5432`. */
  readonly name: string;
  /** The URL with this host alone, as `pg` reads it. Contains the password. */
  readonly url: string;
}

/** Conditions a host must meet for a connection to be kept, named as in libpq. */
const targets = ["any", "read-write", "primary"] as const;
export type Target = (typeof targets)[number];

/** The database that a `postgres://` URL names. */
export interface DatabaseAddress {
  /** At least one, in the order they are tried. */
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  readonly target: Target;
  readonly user: string;
  readonly database: string;
  /** Session settings in the form of `options`, such as `-c search_path=shop`; empty without any. */
  readonly options: string;
}

/** Each host gets a share of the connection timeout: with more hosts it would be too short. */
const mostHosts = 5;

/**
 * Parses a PostgreSQL URL with one or several hosts, as libpq does: `postgres://user:password@h1:5432,h2/database`, or
 * `host` and `port` as parameters. Several hosts without `target_session_attrs` mean `read-write`, because a service
 * can't use a standby.
 *
 * @throws Error with the problem; no message repeats any part of the URL, which contains the password
 */
export function databaseAddress(text: string): DatabaseAddress {
  const [, scheme, authority = "", path = "", query = ""] =
    /^(postgres(?:ql)?:\/\/)([^\s/?#]*)(\/[^\s?#]*)?(?:\?([^\s#]*))?(?:#\S*)?$/.exec(text) ?? [];
  if (scheme === undefined) throw new Error("it does not begin with postgres:// or has a space");
  const parameters = new URLSearchParams(query);
  const userinfo = authority.slice(0, authority.lastIndexOf("@") + 1);
  const endpoints = endpointsOf(authority.slice(userinfo.length), parameters);
  const target = targetOf(parameters.get("target_session_attrs"), endpoints.length);
  const options = parameters.get("options") ?? "";
  for (const name of ["host", "port", "target_session_attrs", "options"]) parameters.delete(name);
  const urlOf = ({ host, port }: Endpoint) => {
    const own = new URLSearchParams(parameters);
    if (host !== "") own.set("host", host);
    if (port !== "") own.set("port", port);
    const url = `${scheme}${userinfo}${host && "localhost"}${path}${own.size > 0 ? `?${own}` : ""}`;
    if (!URL.canParse(url)) throw new Error("it is not a URL");
    return url;
  };
  const [first, ...others] = endpoints.map((endpoint) => ({ name: nameOf(endpoint), url: urlOf(endpoint) }));
  if (first === undefined) throw new Error("it names no host");
  const user = decoded(/^[^:@]*/.exec(userinfo)?.[0] ?? "");
  return { hosts: [first, ...others], target, user, database: decoded(path.slice(1)), options };
}

/** Where a server listens; an empty host or port is the default of `pg`. A host with a slash is a socket's folder. */
interface Endpoint {
  host: string;
  port: string;
}

function endpointsOf(hostList: string, parameters: URLSearchParams): Endpoint[] {
  const [hosts, ports] = [parameters.get("host"), parameters.get("port")];
  const endpoints = hosts
    ? fromParameters(hosts, ports ?? "")
    : hostList
        .split(",")
        .map((text, index) => ({ ...endpointOf(text, index), ...(ports && { port: ports }) }));
  if (endpoints.length > mostHosts)
    throw new Error(`it names ${endpoints.length} hosts; the limit is ${mostHosts}`);
  endpoints.forEach(({ host, port }, index) => {
    const where = `host ${index + 1}`;
    if (host === "" && endpoints.length > 1) throw new Error(`${where} has no name`);
    if (!host.startsWith("/") && !isIPv6(host) && /[\s/?#@:[\]]/.test(host)) throw notAHost(index);
    const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535;
    if (port !== "" && !isPort) throw new Error(`the port of ${where} is not a number from 1 to 65535`);
  });
  return endpoints;
}

function fromParameters(hosts: string, ports: string): Endpoint[] {
  const [names, numbers] = [hosts.split(","), ports.split(",")];
  if (numbers.length > 1 && numbers.length !== names.length)
    throw new Error(`it has ${names.length} hosts and ${numbers.length} ports`);
  return names.map((host, index) => ({
    host,
    port: (numbers.length > 1 ? numbers[index] : numbers[0]) ?? "",
  }));
}

function endpointOf(text: string, index: number): Endpoint {
  const [, bracketed, name, port = ""] = /^(?:\[([^\]]*)\]|([^:[\]@]*))(?::([^:]*))?$/.exec(text) ?? [];
  if (bracketed === undefined && name === undefined) throw notAHost(index);
  return { host: bracketed ?? decoded(name ?? ""), port };
}

const notAHost = (index: number) =>
  new Error(`host ${index + 1} is not a name, an IPv4 address or an IPv6 address in brackets`);

function targetOf(text: string | null, hosts: number): Target {
  if (text === null) return hosts > 1 ? "read-write" : "any";
  const target = targets.find((name) => name === text);
  if (target === undefined) throw new Error(`target_session_attrs is none of ${targets.join(", ")}`);
  return target;
}

const nameOf = ({ host, port }: Endpoint) =>
  `${isIPv6(host) ? `[${host}]` : host || "the local socket"}:${port || 5432}`;

/** Decodes a part of a URL for display; returns malformed encodings unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
