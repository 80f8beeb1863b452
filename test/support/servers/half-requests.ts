import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

/** Unfinished requests that a client may have sent when a service is stopped: each keeps a connection open. */
export const halfRequests = {
  "an idle connection": () => "",
  "half a head": () => "POST /@shop HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
  "half a body": (headers: Record<string, string>) =>
    request(
      "/@shop",
      { ...headers, "content-type": "application/json", "content-length": "100" },
      '{"query": "',
    ),
  "a trickle to /uploads": () =>
    request(
      "/uploads",
      { "content-type": "multipart/form-data; boundary=b", "content-length": "1000000" },
      '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\n',
    ),
} as const;

function request(path: string, headers: Record<string, string>, body: string): string {
  const lines = Object.entries({ host: "localhost", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

/** Sends half of a request, then a byte every 50 ms if it is a trickle; `answer` is all that is received. */
export async function sendHalf(
  name: keyof typeof halfRequests,
  url: string,
  headers: Record<string, string>,
): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(halfRequests[name](headers));
  if (name.startsWith("a trickle")) {
    const trickle = setInterval(() => socket.write("x"), 50);
    socket.once("close", () => clearInterval(trickle));
  }
  // A connection that is closed while bytes are on their way may be reset.
  return { socket, answer: text(socket).catch(() => "") };
}
