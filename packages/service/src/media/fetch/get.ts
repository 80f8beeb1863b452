import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Connections } from "../../system/outbound/connections.ts";
import { errorCode } from "../../system/thrown.ts";

export interface GetOptions {
  connections: Connections;
  /** Milliseconds without a byte. */
  idle: number;
  signal: AbortSignal;
}

const headers = {
  accept: "image/avif, image/webp, image/png, image/jpeg, image/gif, image/svg+xml, image/*;q=0.8",
  // Images are already compressed. Responses that are compressed all the same (mostly drawings) are decoded.
  "accept-encoding": "identity",
  "user-agent": "Lading",
};

/** No byte arrived for too long. */
export class Stalled extends Error {
  override readonly name = "Stalled";
}

/** Sends one GET and resolves with the response's head. Doesn't follow redirects. */
export async function get(url: URL, options: GetOptions): Promise<IncomingMessage> {
  for (let reused = true; ; ) {
    try {
      return await send(url, options, (kept) => {
        reused = kept;
      });
    } catch (error) {
      // A host may close a connection just as it is reused: then the request was not answered.
      if (!reused || !closedConnection(error) || options.signal.aborted) throw error;
    }
  }
}

function send(url: URL, options: GetOptions, onSent: (reused: boolean) => void): Promise<IncomingMessage> {
  const { connections, idle, signal } = options;
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((answer, fail) => {
    const sent = request(url, { agent: connections.agentFor(url), headers, signal, timeout: idle });
    let response: IncomingMessage | undefined;
    sent.on("response", (head) => {
      response = head;
      answer(head);
    });
    sent.on("timeout", () =>
      (response ?? sent).destroy(new Stalled(`no byte arrived for ${idle / 1000} seconds`)),
    );
    sent.on("error", (error) => {
      onSent(sent.reusedSocket);
      fail(error);
    });
    sent.end();
  });
}

const closedConnection = (error: unknown) => ["ECONNRESET", "EPIPE"].includes(errorCode(error));
