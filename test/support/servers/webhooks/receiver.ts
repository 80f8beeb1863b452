import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { eventually } from "../../runner.ts";
import { listen } from "../port.ts";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  id: string;
  /** Its body, as JSON. */
  event: { type: string; timestamp: string; data: Record<string, unknown> & { taskId: string } };
}

type Answer = (response: ServerResponse, received: Received) => void;

/** A web server on this machine that takes webhooks. */
export interface Receiver {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  readonly received: Received[];
  open(): number;
  /** Changes what it answers; 204 otherwise. */
  answers(answer: Answer): void;
  /** Waits for `count` events of a task, and returns them. */
  about(taskId: string, count?: number): Promise<Received[]>;
  close(): Promise<void>;
}

const accept: Answer = (response) => response.writeHead(204).end();

export async function openReceiver(port?: number): Promise<Receiver> {
  const received: Received[] = [];
  let answer = accept;
  let open = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    response.on("close", () => {
      open -= 1;
    });
    const { url: path = "", headers } = request;
    const body = await text(request);
    const one = { path, headers, body, id: String(headers["webhook-id"]), event: JSON.parse(body) };
    received.push(one);
    answer(response, one);
  });
  const actual = await listen(server, port);
  return {
    url: `http://127.0.0.1:${actual}`,
    port: actual,
    received,
    open: () => open,
    answers: (next) => {
      answer = next;
    },
    about: (taskId, count = 1) =>
      eventually(
        async () => received.filter(({ event }) => event.data.taskId === taskId),
        ({ length }) => length >= count,
      ),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** True when one of the signatures of a webhook is that of the secret, as its receiver finds out. */
export function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const wanted = Buffer.from(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  return String(headers["webhook-signature"])
    .split(" ")
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
}
