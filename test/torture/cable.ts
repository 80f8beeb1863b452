import { connect as connectTo, createServer, type Server, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { databaseAddress } from "../../packages/service/src/settings/database-url.ts";
import { listen } from "../support/servers/port.ts";

export interface Cable {
  readonly url: string;
  /**
   * Drops what either side sends, and answers no new connection, for `ms` milliseconds. Connections that were cut are
   * then reset, as by a network that has forgotten them. Cut a cable again only when it is whole.
   */
  cut(ms: number): Promise<void>;
  close(): void;
}

/** Opens a proxy on the loopback interface to each host that the URL of a database names by an address and a port. */
export async function openCable(target: string): Promise<Cable> {
  const sockets = new Set<Socket>();
  const state = { isCut: false, sockets };
  const { hosts, target: wanted } = databaseAddress(target);
  const servers = await Promise.all(hosts.map(({ name }) => openProxy(name, state)));
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`).join();
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: target.replace(/@[^/]+\/([^?]*).*$/, `@${addresses}/$1?target_session_attrs=${wanted}`),
    cut: async (ms) => {
      state.isCut = true;
      for (const socket of sockets) socket.unpipe().resume();
      await setTimeout(ms);
      reset();
      state.isCut = false;
    },
    close: () => {
      for (const { server } of servers) server.close();
      reset();
    },
  };
}

/** Passes connections on to a host such as `127.0.0.1:5432`, or swallows what they send while the cable is cut. */
async function openProxy(
  host: string,
  state: { isCut: boolean; sockets: Set<Socket> },
): Promise<{ server: Server; port: number }> {
  const { hostname, port } = new URL(`tcp://${host}`);
  const keep = (socket: Socket) => {
    state.sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => state.sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (state.isCut) return;
    const far = keep(connectTo(Number(port), hostname));
    near.pipe(far).pipe(near);
    near.on("close", () => state.isCut || far.destroy());
    far.on("close", () => state.isCut || near.destroy());
  });
  return { server, port: await listen(server) };
}
