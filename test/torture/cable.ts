import { connect as connectTo, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { listen } from "../support/servers/port.ts";

/** A connection to a database server that can be cut. */
export interface Cable {
  /** The URL of the database at this end. */
  readonly url: string;
  /**
   * Drops what either side sends, and answers no new connection, for so many milliseconds. Connections that were cut
   * are then reset, as by a network that has forgotten them.
   */
  cut(ms: number): Promise<void>;
  close(): void;
}

/** Opens a proxy on the loopback interface to the server of a URL. */
export async function openCable(target: string): Promise<Cable> {
  const url = new URL(target);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return;
    const far = keep(connectTo(Number(port), hostname));
    near.pipe(far).pipe(near);
    near.on("close", () => isCut || far.destroy());
    far.on("close", () => isCut || near.destroy());
  });
  url.port = String(await listen(server));
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    cut: async (ms) => {
      isCut = true;
      for (const socket of sockets) socket.unpipe().resume();
      await setTimeout(ms);
      reset();
      isCut = false;
    },
    close: () => {
      server.close();
      reset();
    },
  };
}
