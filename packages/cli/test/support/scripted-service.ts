import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { onTestFinished } from "vitest";

export interface Received {
  path: string;
  operation: string;
  headers: IncomingHttpHeaders;
  variables: Record<string, unknown>;
}

export interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body: unknown;
}

/** The answer to the GraphQL operation of a name; `nth` counts its requests from 0. "hang up" drops the connection. */
export type Script = Record<string, (variables: Record<string, unknown>, nth: number) => Reply | "hang up">;

export interface ScriptedService {
  url: string;
  received: Received[];
  uploads: [string, FormDataEntryValue][][];
}

/**
 * Starts a real HTTP server that answers by a script. To GET it reports good health, unless `Health` in the script says
 * otherwise. Uploads go to `/upload`; `Upload` in the script may refuse them.
 */
export async function scriptedService(script: Script): Promise<ScriptedService> {
  const service: ScriptedService = { url: "", received: [], uploads: [] };
  const server = createServer(async (request, response) => {
    const reply = await answer(service, script, request);
    if (reply === "hang up") return request.socket.destroy();
    const { status = 200, type = "application/json", headers, body } = reply;
    response.writeHead(status, { "content-type": type, ...headers });
    response.end(type === "application/json" ? JSON.stringify(body) : body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  service.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return service;
}

async function answer(service: ScriptedService, script: Script, request: IncomingMessage) {
  if (request.method === "GET") return script.Health?.({}, 0) ?? { body: { status: "ready" } };
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (request.url === "/upload") {
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    service.uploads.push([...(await new Response(bytes, { headers }).formData())]);
    return script.Upload?.({}, service.uploads.length - 1) ?? { status: 201, body: {} };
  }
  const { query, variables } = JSON.parse(bytes.toString());
  const operation = /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? "";
  const nth = service.received.filter((earlier) => earlier.operation === operation).length;
  service.received.push({ path: request.url ?? "", operation, headers: request.headers, variables });
  return (
    script[operation]?.(variables, nth) ?? { status: 500, body: { message: `no script for ${operation}` } }
  );
}

export function data(fields: Record<string, unknown>): Reply {
  return { body: { data: fields } };
}

export async function unusedUrl(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}
