import { readFile } from "node:fs/promises";
import { jsonSchemaFile } from "@lading/schema/internal";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { schemaRoute } from "../../src/http/files/schema-route.ts";

const app = Fastify();
schemaRoute(app);

const get = (headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  app.inject({ method, url: "/schema/mass-operation.json", headers });

test("the JSON Schema is what the package ships, for any origin, without a token", async () => {
  const { statusCode, headers, body } = await get({ origin: "https://editor.example" });
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "application/schema+json",
    "access-control-allow-origin": "*",
    "cache-control": "public, max-age=3600",
  });
  expect(body).toBe(await readFile(jsonSchemaFile, "utf8"));
});

test.each(["", "W/"])("who has it is answered 304 (%j before the tag)", async (weak) => {
  const { etag } = (await get({}, "HEAD")).headers;
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  const known = await get({ "if-none-match": `"other", ${weak}${etag}` });
  expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, "", etag]);
  expect((await get({ "if-none-match": '"other"' })).statusCode).toBe(200);
});
