import dns from "node:dns";
import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { generate } from "selfsigned";
import { vi } from "vitest";

declare module "tls" {
  /** Node 24, which runs the tests, has it; the types are of the oldest supported Node. */
  function setDefaultCACertificates(certificates: readonly string[]): void;
}

/** An address of a service over TLS, which clients of this process trust until it is closed. */
export interface TlsAddress {
  /** The end of its host names, and the port: `https://api` and this is the service. */
  origin: string;
  close(): Promise<void>;
}

const host = "api.localhost";

/**
 * Terminates TLS before a service: clients that speak https alone reach it unchanged. The certificate is made here; the
 * name is resolved here too, since not every system knows the names under `localhost`.
 */
export async function terminateTls(serviceUrl: string): Promise<TlsAddress> {
  const { cert, private: key } = await certificate();
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, cert]);
  const lookup = resolveLocally();
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    outgoing.shouldKeepAlive = false;
    const forwarded = request(
      new URL(incoming.url ?? "/", serviceUrl),
      { method: incoming.method, headers: { ...incoming.headers, connection: "close" } },
      (answer) => {
        const { connection: _, ...headers } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", (error) => outgoing.destroy(error));
    incoming.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `.localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      lookup.mockRestore();
      setDefaultCACertificates(trusted);
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function certificate() {
  const extensions = [
    { name: "basicConstraints", cA: true },
    { name: "subjectAltName", altNames: [{ type: 2, value: host }] },
  ];
  return generate([{ name: "commonName", value: host }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions,
  } as never);
}

function resolveLocally() {
  const real = dns.lookup;
  return vi
    .spyOn(dns, "lookup")
    .mockImplementation(((name: string, ...rest: unknown[]) =>
      (real as (...all: unknown[]) => void)(name === host ? "127.0.0.1" : name, ...rest)) as never);
}
