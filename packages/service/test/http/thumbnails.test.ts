import childProcess, { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pino } from "pino";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { png, svg } from "../../../../test/support/images/samples.ts";
import { hasSharp } from "../../../../test/support/images/thumbnails.ts";
import { deleteImageFile } from "../../src/media/stored-images.ts";
import { thumbnailLimits } from "../../src/media/thumbnails/limits.ts";
import { type Makers, thumbnailMakers } from "../../src/media/thumbnails/makers.ts";
import { openThumbnails } from "../../src/media/thumbnails/thumbnails.ts";
import type { ImageRow } from "../../src/storage/collections/images.ts";
import { createAccessToken } from "../../src/tenants/access-tokens.ts";
import { createTenant } from "../../src/tenants/create.ts";
import { FileCopier } from "../../src/uploads/copy-files.ts";
import { isThumbnailKey, newUploadKey, thumbnailKey } from "../../src/uploads/keys.ts";
import { openMemoryStore } from "../../src/uploads/memory-store.ts";
import { deleteTenant, revokeToken } from "../tenants/operator-api.ts";
import { openBrowser, tokenOf } from "./console/browser.ts";
import { headersOf, useApi } from "./support.ts";

const { spawn } = childProcess;
const spawned = vi.spyOn(childProcess, "spawn");
afterAll(() => spawned.mockRestore());

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

  async function registered(content: Buffer, name: string, owner = api.shop): Promise<string> {
    const key = newUploadKey(owner.tenant.id, name, "MEDIA");
    await api.store.put(key, Readable.from([content]), { maxBytes: content.length });
    const query = `mutation { registerImage(imageKey: "${key}") { ... on Image { key } ... on BasicError { error } } }`;
    const url = `/@${owner.tenant.identifier}`;
    const { body } = await api.send({
      method: "POST",
      url,
      headers: headersOf(tokenOf(owner)),
      payload: { query },
    });
    expect(body).toEqual({ data: { registerImage: { key } } });
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

  test("a page of the console gets one by its session, until its token is revoked, and no other page does", async () => {
    const key = await registered(png(40, 30, 3), "session.png");
    const token = await createAccessToken(api.database, api.shop.tenant.id, { name: "page", role: "reader" });
    const browser = openBrowser(api.server, { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" });
    await browser.signIn("shop", token);
    const url = `/@shop/thumbnails/80/${key}`;
    const fromElsewhere = { "sec-fetch-site": "same-site" };
    expect((await browser.send({ url })).headers.location).toBe(`/images/${key}`);
    expect((await browser.send({ url, headers: fromElsewhere })).statusCode).toBe(403);
    await revokeToken(api, token.id);
    const headers = { "if-none-match": `"${key.split("/")[2]}-80"` };
    expect((await browser.send({ url, headers })).statusCode).toBe(401);
    expect((await get(key, { headers: { ...headersOf(token), ...headers } })).statusCode).toBe(401);
  });

  test.runIf(hasSharp)("a deleted tenant's thumbnails are deleted", async () => {
    const gone = await createTenant(api.database, { identifier: "gone" });
    const key = await registered(await picture(40, 30), "gone.jpg", gone);
    const url = `/@gone/thumbnails/80/${key}`;
    expect((await api.server.inject({ url, headers: headersOf(tokenOf(gone)) })).statusCode).toBe(200);
    expect(await api.store.stat(thumbnailKey(key, 80))).toBeDefined();
    await deleteTenant(api, "gone");
    expect(await Array.fromAsync(api.store.list(`${gone.tenant.id}/`))).toEqual([]);
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
      const [answer, same] = await Promise.all([get(key, { width: "240" }), get(key, { width: "240" })]);
      expect(same.rawPayload).toEqual(answer.rawPayload);
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
      expect((await api.server.inject(`/images/${thumbnailKey(key, 240)}`)).statusCode).toBe(404);
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

  test.runIf(hasSharp)("a service that stops does not wait for one", { timeout: 5_000 }, async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    spawned.mockImplementationOnce((...given: Parameters<typeof spawn>) => {
      const child = spawn(...given);
      child.kill("SIGSTOP");
      begin();
      return child;
    });
    const key = await registered(await picture(40, 30), "held.jpg");
    const server = api.another({});
    const address = await server.listen({ port: 0, host: "127.0.0.1" });
    const answer = fetch(`${address}/@shop/thumbnails/80/${key}`, { headers: admin, redirect: "manual" });
    await begun;
    await server.close();
    expect((await answer).status).toBe(302);
  });

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
  let image: Buffer;
  let makers: Makers;
  beforeAll(async () => {
    image = await picture(300, 200);
  });
  beforeEach(() => {
    makers = thumbnailMakers();
  });
  afterEach(() => makers.close());

  const job = (during = () => {}) => ({
    width: 80,
    length: image.length,
    image: (async function* () {
      yield image.subarray(0, 100);
      during();
      yield image.subarray(100);
    })(),
  });
  const latest = () => spawned.mock.results.at(-1)?.value as ChildProcess;
  const starts = () => spawned.mock.calls.length;

  test("ends when the image cannot be read, and when it is nonsense it says so and stays", async () => {
    const fail = () => {
      throw new Error("the store is gone");
    };
    await expect(makers.make(job(fail))).rejects.toThrow("the store is gone");
    const nonsense = { width: 80, length: 8, image: Readable.from([Buffer.from("nonsense")]) };
    expect(await makers.make(nonsense)).toEqual({ thumbnail: undefined });
    const before = starts();
    expect((await makers.make(job()))?.thumbnail?.subarray(8, 12).toString()).toBe("WEBP");
    expect([starts(), makers.isAvailable()]).toEqual([before, true]);
  });

  test("that is killed before it has the image says nothing about it; the next makes the thumbnail", async () => {
    const kill = () => {
      latest().stdin?.destroy();
      latest().kill("SIGKILL");
    };
    expect(await makers.make(job(kill))).toBeUndefined();
    const held = job(() => process.kill(latest().pid!, "SIGSTOP"));
    setTimeout(() => process.kill(latest().pid!, "SIGKILL"), 100);
    expect(await makers.make(held)).toEqual({ thumbnail: undefined });
    expect((await makers.make(job()))?.thumbnail).toBeDefined();
  });

  test("ends after a time without work, and with the service, whether it works or not", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await makers.make(job());
      const ended = once(latest(), "exit");
      vi.advanceTimersByTime(thumbnailLimits.idle - 1);
      expect(latest().killed).toBe(false);
      vi.advanceTimersByTime(1);
      await ended;
    } finally {
      vi.useRealTimers();
    }
    const closed = makers.make(job(() => makers.close()));
    await once(latest(), "exit");
    expect(await closed).toBeUndefined();
    expect(await makers.make(job())).toBeUndefined();
  });
});

describe("thumbnails of a store", () => {
  const logged: string[] = [];
  const logger = pino({}, { write: (line) => void logged.push(JSON.parse(line).msg) });
  const key = newUploadKey("f".repeat(24), "a.png", "MEDIA");
  const row = { key, mimeType: "image/png", width: 40, height: 30, size: 100 } as ImageRow;
  const wanted = { image: row, width: 80, isAwaited: () => true, isRegistered: async () => true } as const;
  const filled = async () => {
    const store = openMemoryStore();
    const content = hasSharp ? await picture(40, 30) : png(40, 30);
    await store.put(key, Readable.from([content]), { maxBytes: content.length });
    return store;
  };

  test("there are none where the package that decodes images is missing, and the log says so once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "lading-thumbnails-"));
    const without = join(folder, "thumbnails");
    await cp(join(import.meta.dirname, "../../src/media/thumbnails"), without, { recursive: true });
    onTestFinished(() => rm(folder, { recursive: true }));
    const copy: typeof import("../../src/media/thumbnails/makers.ts") = await import(
      join(without, "makers.ts")
    );
    const thumbnails = openThumbnails(await filled(), logger, copy.thumbnailMakers());
    expect(await Promise.all([thumbnails.get(wanted), thumbnails.get(wanted)])).toEqual([
      undefined,
      undefined,
    ]);
    expect(logged).toEqual(["no thumbnails are made: the package sharp cannot be loaded"]);
    thumbnails.close();
  });

  test.runIf(hasSharp)("none is kept, and nothing fails, when the image is deleted meanwhile", async () => {
    const store = await filled();
    const thumbnails = openThumbnails(store, logger);
    const isRegistered = async () => {
      expect([...store.objects.keys()]).toEqual([key, thumbnailKey(key, 80)]);
      return false;
    };
    expect(await thumbnails.get({ ...wanted, isRegistered })).toBeUndefined();
    expect([...store.objects.keys()]).toEqual([key]);
    thumbnails.close();
    for (const changed of [openMemoryStore(), store]) {
      const late = openThumbnails({ ...changed, stat: async () => ({ bytes: 1_000, etag: "old" }) }, logger);
      expect(await late.get(wanted)).toBeUndefined();
      late.close();
    }
  });

  test.runIf(hasSharp)("the thumbnail of an earlier image under the same key is never served", async () => {
    const store = await filled();
    const { default: sharp } = await import("sharp");
    const widthOf = async (thumbnail: Buffer | undefined) => (await sharp(thumbnail).metadata()).width;
    const replace = async (width: number) => {
      await deleteImageFile(store, key);
      const content = await picture(width, 10);
      await store.put(key, Readable.from([content]), { maxBytes: content.length });
    };
    const thumbnails = openThumbnails(store, logger);
    onTestFinished(() => thumbnails.close());
    expect(await widthOf(await thumbnails.get(wanted))).toBe(40);
    await replace(30);
    expect(await widthOf(await thumbnails.get(wanted))).toBe(30);
    await replace(20);
    // Deleted, stored and registered again while the thumbnail is made.
    const put: typeof store.put = async (...given) => {
      if (given[0] === thumbnailKey(key, 80)) await replace(10);
      return store.put(...given);
    };
    const slow = openThumbnails({ ...store, put }, logger);
    onTestFinished(() => slow.close());
    expect(await slow.get(wanted)).toBeUndefined();
    expect(await widthOf(await thumbnails.get(wanted))).toBe(10);
  });
});
