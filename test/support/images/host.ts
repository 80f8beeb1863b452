import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { listen } from "../servers/port.ts";

export type Answerer = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

/** A web server on this machine with images, or whatever else a test wants it to answer. */
export interface ImageHost {
  /** Its address, `http://127.0.0.1:<port>`. */
  url: string;
  port: number;
  /** The response for a path; other paths are 404. */
  on(path: string, answer: Answerer | Buffer): string;
  /** The requested paths, in order. */
  readonly requests: string[];
  connections(): number;
  /** Peak number of concurrent requests. */
  mostAtOnce(): number;
  /** Closes the connections that are kept open. */
  disconnect(): void;
  close(): Promise<void>;
}

export async function openImageHost(): Promise<ImageHost> {
  const answers = new Map<string, Answerer>();
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let underWay = 0;
  let mostAtOnce = 0;
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    response.on("close", () => {
      underWay -= 1;
    });
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end("no");
    else await answer(response, request);
  });
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    requests,
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
    on: (path, answer) => {
      answers.set(path, typeof answer === "function" ? answer : (response) => void response.end(answer));
      return `${url}${path}`;
    },
    disconnect: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
