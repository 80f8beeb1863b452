import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { png, svg } from "../../../../test/support/images/samples.ts";
import { hasSharp } from "../../../../test/support/images/thumbnails.ts";
import { deleteImageFile } from "../../src/media/stored-images.ts";
import { thumbnailMakers } from "../../src/media/thumbnails/makers.ts";
import { FileCopier } from "../../src/uploads/copy-files.ts";
import { isThumbnailKey, newUploadKey, thumbnailKey } from "../../src/uploads/keys.ts";
import { openMemoryStore } from "../../src/uploads/memory-store.ts";
import { headersOf, useApi } from "./support.ts";

const picture = async (width: number, height: number) => {
  const { default: sharp } = await import("sharp");
  return sharp({ create: { width, height, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
};

describe("thumbnails", () => {
  const api = useApi();
  let admin: Record<string, string>;
  beforeAll(() => {
    admin = headersOf({ id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret });
  });

  async function registered(content: Buffer, name: string): Promise<string> {
    const key = newUploadKey(api.shop.tenant.id, name, "MEDIA");
    await api.store.put(key, Readable.from([content]), { maxBytes: content.length });
    await api.field(
      "mutation ($key: String!) { registerImage(imageKey: $key) { ... on Image { key } ... on BasicError { error } } }",
      {
        key,
      },
    );
    return key;
  }

  const get = (key: string, { width = "80", headers = admin, method = "GET" as "GET" | "HEAD" } = {}) =>
    api.server.inject({ method, url: `/@shop/thumbnails/${width}/${key}`, headers });

  test("a thumbnail is refused without a token, for another width, and without an image of the tenant", async () => {
    const key = await registered(png(40, 30), "a.png");
    expect((await get(key, { headers: {} })).statusCode).toBe(401);
    for (const width of ["81", "080", "0", "x"]) {
      const answer = await get(key, { width });
      expect([answer.statusCode, answer.json().message]).toEqual([
        400,
        `There is no thumbnail of the width "${width}"; the widths are 80, 240, 640.`,
      ]);
    }
    const foreign = key.replace(api.shop.tenant.id, "f".repeat(24));
    const other = newUploadKey(api.shop.tenant.id, "b.png", "MEDIA");
    for (const missing of [foreign, other, "a", "%00", "", thumbnailKey(key, 80)]) {
      const answer = await get(missing);
      expect(answer.statusCode, missing).toBe(404);
      expect(answer.json().errors[0].extensions.code).toBe("ImageNotFoundError");
    }
    const misspelt = await get(`${key}?w=80`);
    expect(misspelt.statusCode).toBe(400);
  });

  test("a drawing, and a file that cannot be decoded, are shown themselves", async () => {
    for (const [content, name] of [
      [svg(), "draw.svg"],
      [png(40, 30, 1, 500), "broken.png"],
      [png(40_000, 30_000), "huge.png"],
    ] as const) {
      const key = await registered(content, name);
      const answer = await get(key);
      expect([answer.statusCode, answer.headers.location], name).toEqual([302, `/images/${key}`]);
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
  });

  test.runIf(hasSharp)(
    "a thumbnail is made at its first request, kept, not moved, and deleted with its image",
    async () => {
      const key = await registered(await picture(1_000, 500), "photo.jpg");
      const answer = await get(key, { width: "240" });
      expect(answer.headers).toMatchObject({
        ...{ "content-type": "image/webp", "cache-control": "private, max-age=31536000, immutable" },
        ...{ "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; sandbox" },
        ...{ etag: `"${key.split("/")[2]}-240"`, "cross-origin-resource-policy": "same-origin" },
      });
      const { default: sharp } = await import("sharp");
      expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 240, height: 120 });
      const head = await get(key, { width: "240", method: "HEAD" });
      expect([head.headers["content-length"], head.payload]).toEqual([`${answer.rawPayload.length}`, ""]);
      const headers = { ...admin, "if-none-match": String(answer.headers.etag) };
      expect((await get(key, { width: "240", headers })).statusCode).toBe(304);
      const stored = await api.store.stat(thumbnailKey(key, 240));
      expect(stored?.bytes).toBe(answer.rawPayload.length);
      const target = openMemoryStore();
      const prefix = `${api.shop.tenant.id}/`;
      await new FileCopier({ source: api.store, target, prefix, onFile: () => {} }).copyNew();
      expect([...target.objects.keys()].filter(isThumbnailKey)).toEqual([]);
      expect(target.objects.has(key)).toBe(true);
      await deleteImageFile(api.store, key);
      expect(await api.store.stat(thumbnailKey(key, 240))).toBeUndefined();
    },
  );

  test.runIf(hasSharp)(
    "a small image is not enlarged, and a tall one is at most twice as high as wide",
    async () => {
      const { default: sharp } = await import("sharp");
      const small = await get(await registered(await picture(20, 10), "small.jpg"));
      expect(await sharp(small.rawPayload).metadata()).toMatchObject({ width: 20, height: 10 });
      const tall = await get(await registered(await picture(10, 2_000), "tall.jpg"));
      expect(await sharp(tall.rawPayload).metadata()).toMatchObject({ width: 1, height: 160 });
    },
  );

  test("the API lists an image's thumbnails, and none of a key without an image", async () => {
    const key = await registered(png(40, 30, 2), "listed.png");
    const { thumbnails } = await api.field(
      "query ($key: String!) { image(key: $key) { ... on Image { thumbnails { width url } } ... on BasicError { error } } }",
      { key },
    );
    expect(thumbnails).toEqual(
      [80, 240, 640].map((width) => ({ width, url: `/@shop/thumbnails/${width}/${key}` })),
    );
  });
});

describe.runIf(hasSharp)("a process that makes thumbnails", () => {
  test("may end at any time: the image has none, and the next has one", async () => {
    const makers = thumbnailMakers();
    const image = await picture(300, 200);
    const job = (during = () => {}) => ({
      width: 80,
      length: image.length,
      image: (async function* () {
        yield image.subarray(0, 100);
        during();
        yield image.subarray(100);
      })(),
    });
    const fail = () => {
      throw new Error("the store is gone");
    };
    await expect(makers.make(job(fail))).rejects.toThrow("the store is gone");
    expect(
      await makers.make({ width: 80, length: 8, image: Readable.from([Buffer.from("nonsense")]) }),
    ).toBeUndefined();
    expect((await makers.make(job()))?.subarray(8, 12).toString()).toBe("WEBP");
    expect(makers.isAvailable()).toBe(true);
    makers.close();
  });
});
