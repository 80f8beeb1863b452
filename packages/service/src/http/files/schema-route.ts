import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { jsonSchemaFile } from "@lading/schema/internal";
import type { FastifyInstance } from "fastify";
import { namesTag } from "./request-headers.ts";

/** The schema changes when the service is upgraded; editors notice within an hour. */
const cacheControl = "public, max-age=3600";

/**
 * Adds `GET` and `HEAD /schema/mass-operation.json`: the JSON Schema of mass operation files, for editors. It is the
 * same for every tenant, needs no token, and scripts of any origin may read it.
 */
export function schemaRoute(app: FastifyInstance): void {
  let content: Promise<Content> | undefined;
  app.get("/schema/mass-operation.json", async ({ headers }, reply) => {
    content ??= readSchema();
    const { text, tag } = await content;
    reply.headers({
      "content-type": "application/schema+json",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": cacheControl,
      etag: tag,
    });
    if (headers["if-none-match"] !== undefined && namesTag(headers["if-none-match"], tag))
      return reply.code(304).send();
    return reply.send(text);
  });
}

interface Content {
  text: Buffer;
  tag: string;
}

async function readSchema(): Promise<Content> {
  const text = await readFile(jsonSchemaFile);
  return { text, tag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
