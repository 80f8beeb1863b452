import { beforeAll, describe, expect, test } from "vitest";
import { png, svg } from "../../../../test/support/images/samples.ts";
import { byteRange } from "../../src/http/files/request-headers.ts";
import { newUploadKey } from "../../src/uploads/keys.ts";
import { useApi } from "./support.ts";

const picture = png(40, 30, 1, 1_000);

describe("images over HTTP", () => {
  let key: string;
  let drawing: string;
  const api = useApi();
  beforeAll(async () => {
    key = await upload(picture, "my photo.png");
    drawing = await upload(svg(), "draw.svg");
    await register({ imageKey: key, resourceIdentifier: "hero" });
    await register({ imageKey: drawing });
  });

  async function upload(content: Buffer, name: string): Promise<string> {
    const made = newUploadKey(api.shop.tenant.id, name, "MEDIA");
    await api.store.put(made, [content] as never, { maxBytes: 1e6 });
    return made;
  }

  const register = (variables: object) =>
    api.field(
      `mutation ($imageKey: String!, $resourceIdentifier: String) {
           registerImage(imageKey: $imageKey, resourceIdentifier: $resourceIdentifier) {
             ... on Image { key url width height size mimeType resourceIdentifier variants { key } }
             ... on BasicError { errorName message } } }`,
      variables as never,
    );

  const fetchImage = (
    imageKey: string,
    headers: Record<string, string> = {},
    method: "GET" | "HEAD" = "GET",
  ) => api.server.inject({ method, url: `/images/${imageKey}`, headers });

  test("an image that is not registered, is another tenant's, or has no valid key is not found", async () => {
    const unregistered = await upload(png(1, 1), "other.png");
    const foreign = key.replace(api.shop.tenant.id, "f".repeat(24));
    for (const missing of [
      unregistered,
      foreign,
      "a",
      "..%2f..%2foperator-token",
      "a~b",
      `${key}/`,
      "%00",
      "",
    ]) {
      const answer = await fetchImage(missing);
      expect(answer.statusCode, missing).toBe(404);
      expect(answer.json().errors[0].extensions.code).toBe("NotFound");
    }
  });

  test("a range beyond the end of an image is refused", async () => {
    const answer = await fetchImage(key, { range: "bytes=1000-" });
    expect([answer.statusCode, answer.headers["content-range"]]).toEqual([416, "bytes */1000"]);
    expect(answer.headers["cache-control"]).toBeUndefined();
  });

  test("an image is registered once, and refused by name", async () => {
    expect(await register({ imageKey: "missing" })).toMatchObject({ errorName: "UploadNotFoundError" });
    const again = await register({ imageKey: key });
    expect(again).toEqual({
      ...{ key, url: `https://shop.example/images/${key}`, width: 40, height: 30, size: 1_000 },
      ...{ mimeType: "image/png", resourceIdentifier: "hero", variants: [] },
    });
  });

  test("images are read by key or resource identifier, and listed", async () => {
    const image = (given: string) =>
      api.field(`{ image${given} { ... on Image { key } ... on BasicError { errorName message } } }`);
    expect(await image("")).toMatchObject({ errorName: "ValidationError" });
    expect(await image('(key: "nothing")')).toMatchObject({ errorName: "ImageNotFoundError" });
    expect(await image('(resourceIdentifier: "none")')).toMatchObject({ errorName: "ImageNotFoundError" });
    expect(await image(`(key: "${drawing}")`)).toEqual({ key: drawing });
    expect(await image('(resourceIdentifier: "hero")')).toEqual({ key });
    const list = (given: string) =>
      api.field(
        `{ images${given} { ... on ImageConnection { totalCount edges { node { key } } } ... on BasicError { message } } }`,
      );
    expect((await list("")).edges.map(({ node }: { node: { key: string } }) => node.key)).toEqual(
      [key, drawing].sort(),
    );
    expect(await list('(filter: {mimeType: "image/svg+xml"})')).toEqual({
      ...{ totalCount: 1, edges: [{ node: { key: drawing } }] },
    });
    expect(await list('(filter: {resourceIdentifiers: ["hero", "x"]})')).toMatchObject({ totalCount: 1 });
    expect(await list("(first: 0)")).toMatchObject({ message: expect.stringContaining('"first" is 0') });
  });

  test("an image is sent whole, cacheable forever, and only with its own type", async () => {
    const answer = await fetchImage(key);
    expect(answer.rawPayload.equals(picture)).toBe(true);
    expect(answer.headers).toMatchObject({
      ...{ "content-type": "image/png", "content-length": "1000", "accept-ranges": "bytes" },
      ...{ "cache-control": "public, max-age=31536000, immutable", etag: `"${key.split("/")[2]}"` },
      ...{ "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; sandbox" },
      ...{ "content-disposition": 'inline; filename="my-photo.png"' },
    });
  });

  test("a drawing is saved and never opened, since it may hold scripts", async () => {
    const answer = await fetchImage(drawing);
    expect(answer.headers).toMatchObject({
      ...{ "content-type": "image/svg+xml", "content-disposition": 'attachment; filename="draw.svg"' },
      ...{ "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; sandbox" },
    });
  });

  test("HEAD describes an image without sending it", async () => {
    const answer = await fetchImage(key, {}, "HEAD");
    expect([answer.statusCode, answer.headers["content-length"], answer.payload]).toEqual([200, "1000", ""]);
  });

  test("an image is not sent to a client that has it", async () => {
    const { etag, "last-modified": date } = (await fetchImage(key)).headers as Record<string, string>;
    for (const headers of [
      { "if-none-match": etag as string },
      { "if-none-match": `"other", W/${etag}` },
      { "if-none-match": "*" },
      { "if-modified-since": date as string },
    ] as Record<string, string>[]) {
      const answer = await fetchImage(key, headers);
      expect([answer.statusCode, answer.payload]).toEqual([304, ""]);
    }
    const stale = { "if-none-match": '"other"', "if-modified-since": date as string };
    expect((await fetchImage(key, stale)).statusCode).toBe(200);
    expect((await fetchImage(key, { "if-modified-since": "yesterday" })).statusCode).toBe(200);
  });

  test("an image is sent in parts", async () => {
    for (const [range, from, to] of [
      ["bytes=0-99", 0, 99],
      ["bytes=990-", 990, 999],
      ["bytes=-10", 990, 999],
      ["bytes=500-5000", 500, 999],
    ] as const) {
      const answer = await fetchImage(key, { range });
      expect([answer.statusCode, answer.headers["content-range"]]).toEqual([206, `bytes ${from}-${to}/1000`]);
      expect(answer.rawPayload.equals(picture.subarray(from, to + 1))).toBe(true);
    }
    const { etag } = (await fetchImage(key)).headers as Record<string, string>;
    const part = { range: "bytes=0-9" };
    expect((await fetchImage(key, { ...part, "if-range": etag as string })).statusCode).toBe(206);
    expect((await fetchImage(key, { ...part, "if-range": '"other"' })).statusCode).toBe(200);
  });

  test("content refers to registered images", async () => {
    const query = `{ images { ... on ImageConnection { edges { node {
      key altText url width height mimeType createdAt } } } ... on BasicError { message } } }`;
    const { images } = await api.data(query);
    expect(images.edges[0].node).toMatchObject({ altText: null, createdAt: expect.stringMatching(/^20/) });
  });
});

describe("a range of bytes", () => {
  test.each([
    [undefined, undefined],
    ["bytes=-", undefined],
    ["bytes=0-1,5-6", undefined],
    ["items=0-1", undefined],
    ["bytes=5-4", undefined],
    ["bytes=a-b", undefined],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=10-20", "unsatisfiable"],
    ["bytes=9-", { start: 9, end: 9 }],
    ["bytes=-99", { start: 0, end: 9 }],
    [" BYTES = 1 - 2 ", { start: 1, end: 2 }],
  ])("the range %s of ten bytes is %o", (header, range) => {
    expect(byteRange(header, 10)).toEqual(range);
  });
});
