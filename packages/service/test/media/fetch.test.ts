import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { imageFetcher } from "../../../../test/support/images/fetcher.ts";
import { type ImageHost, openImageHost } from "../../../../test/support/images/host.ts";
import { png, svg } from "../../../../test/support/images/samples.ts";
import type { ImageFetcher } from "../../src/media/fetch/image-fetcher.ts";
import type { Resolve } from "../../src/system/outbound/connections.ts";
import { isUploadKey } from "../../src/uploads/keys.ts";
import { type MemoryStore, openMemoryStore } from "../../src/uploads/memory-store.ts";

const tenantId = "a".repeat(24);

let host: ImageHost;
let store: MemoryStore;
let opened: ImageFetcher[];

beforeEach(async () => {
  host = await openImageHost();
  store = openMemoryStore();
  opened = [];
});
afterEach(async () => {
  for (const fetcher of opened) fetcher.close();
  await host.close();
});

function fetcher(options: Parameters<typeof imageFetcher>[1] = {}): ImageFetcher {
  const made = imageFetcher(store, options);
  opened.push(made);
  return made;
}

const fetchFrom = (url: string, options?: Parameters<typeof imageFetcher>[1], signal?: AbortSignal) =>
  fetcher(options).fetch(url, tenantId, signal ?? new AbortController().signal);

const names =
  (addresses: Record<string, string[]>): Resolve =>
  (hostname, _options, callback) =>
    callback(
      null,
      (addresses[hostname] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

describe("an image that cannot be fetched", () => {
  test("an image that its host refuses is an error with its URL and the status", async () => {
    await expect(fetchFrom(`${host.url}/missing.png`)).rejects.toThrow(
      `The image ${host.url}/missing.png could not be fetched: its host answered HTTP 404 Not Found`,
    );
    expect(host.requests).toEqual(["/missing.png"]);
  });

  test("an image is fetched again when the status may pass, and then reported with the last status", async () => {
    const url = host.on("/busy.png", (response) => void response.writeHead(503).end());
    await expect(fetchFrom(url)).rejects.toThrow("HTTP 503");
    expect(host.requests).toHaveLength(3);
  });

  test("an image is fetched again when the connection was closed", async () => {
    const url = host.on("/closed.png", (response) => void response.destroy());
    await expect(fetchFrom(url)).rejects.toThrow("its host closed the connection (ECONNRESET)");
    expect(host.requests.length).toBeGreaterThanOrEqual(3);
  });

  test("an image is not fetched again from a host that does not speak TLS", async () => {
    await expect(fetchFrom(host.url.replace("http:", "https:"))).rejects.toThrow("does not speak TLS");
    expect(host.connections()).toBe(1);
  });

  test("a fetch fails with the reason when nothing listens, and when an allowed host has no address", async () => {
    const { url } = host;
    await host.close();
    await expect(fetchFrom(`${url}/a.png`, { limits: { tries: 1 } })).rejects.toThrow("ECONNREFUSED");
    host = await openImageHost();
    const options = { resolve: names({}), allowedHosts: ["nowhere.example"], limits: { tries: 1 } };
    await expect(fetchFrom("http://nowhere.example/", options)).rejects.toThrow("no address");
  });

  test("a fetch ends when the image is too large, by its declared size or by its bytes", async () => {
    const said = host.on("/said.png", png(1, 1, 0, 2_000));
    const unsaid = host.on("/unsaid.png", (response) => {
      for (let i = 0; i < 20; i++) response.write(png(1, 1, 0, 100));
      response.end();
    });
    const zipped = host.on(
      "/bomb.svg",
      (response) =>
        void response
          .setHeader("content-encoding", "gzip")
          .end(gzipSync(svg(undefined, " ".repeat(100_000)))),
    );
    for (const url of [said, unsaid, zipped])
      await expect(fetchFrom(url, { limits: { bytes: 1_000 } })).rejects.toThrow(
        "larger than the limit of 1000 bytes",
      );
    expect(store.objects.size).toBe(0);
  });

  test("a fetch ends when it takes too long, and when no byte comes", async () => {
    const never = host.on("/never.png", () => {});
    const stalls = host.on("/stalls.png", (response) => void response.write(png(1, 1)));
    for (const url of [never, stalls]) {
      await expect(fetchFrom(url, { limits: { idle: 50 } })).rejects.toThrow(
        "no byte arrived for 0.05 seconds",
      );
      await expect(fetchFrom(url, { limits: { time: 50 } })).rejects.toThrow("longer than 0.05 seconds");
    }
  });

  test("a fetch that ends in the middle leaves nothing behind", async () => {
    const url = host.on("/half.png", (response) => {
      response.writeHead(200, { "content-length": "1000" }).write(png(1, 1));
      setImmediate(() => response.destroy());
    });
    await expect(fetchFrom(url, { limits: { tries: 1 } })).rejects.toThrow("closed the connection");
    expect(store.objects.size).toBe(0);
  });

  test("a response that is not an image, or is encoded in an unknown way, is refused", async () => {
    const page = host.on("/page.png", Buffer.from("<!doctype html><title>Sign in</title>"));
    await expect(fetchFrom(page)).rejects.toThrow("the response (37 bytes) is not an image: GIF, PNG, JPEG");
    const empty = host.on("/empty.png", Buffer.alloc(0));
    await expect(fetchFrom(empty)).rejects.toThrow("the response (0 bytes) is not an image");
    const odd = host.on(
      "/odd.png",
      (response) => void response.setHeader("content-encoding", "zstd-x").end(png(1, 1)),
    );
    await expect(fetchFrom(odd)).rejects.toThrow('encoded as "zstd-x"');
  });

  test("a fetch follows a limited number of redirects, and only to allowed hosts", async () => {
    const round = host.on("/round", (response) => void response.writeHead(302, { location: "/round" }).end());
    await expect(fetchFrom(round)).rejects.toThrow("redirected more than 5 times");
    expect(host.requests).toHaveLength(6);
    for (const [path, location] of [
      ["/a", "http://[::1]/"],
      ["/b", "file:///etc/passwd"],
      ["/c", `http://user:secret@127.0.0.1:${host.port}/d`],
      ["/d", "http://169.254.169.254/"],
    ] as const) {
      const url = host.on(path, (response) => void response.writeHead(301, { location }).end());
      await expect(fetchFrom(url)).rejects.toThrow(
        /it was redirected, and then: .* could not be fetched: (?!.*secret)/,
      );
    }
  });

  test("a fetch that is aborted ends with the reason of the abort", async () => {
    const asked = Promise.withResolvers<void>();
    const url = host.on("/never.png", () => asked.resolve());
    const breaking = new AbortController();
    const fetching = fetchFrom(url, {}, breaking.signal);
    await asked.promise;
    breaking.abort(new Error("the task ended"));
    await expect(fetching).rejects.toThrow("the task ended");
  });
});

describe("a name", () => {
  const at = (name: string) => `http://${name}:${host.port}/a.png`;
  /** The whole message: it must not reveal what a name resolves to. */
  const refusalOf = (name: string) =>
    new RegExp(
      `^The image ${at(name)} could not be fetched: ${name} does not lead to a public address and is not among LADING_IMAGE_HOSTS$`,
    );

  test("a name that resolves to a private address is refused, whatever else it resolves to", async () => {
    host.on("/a.png", png(1, 1));
    const resolve = names({
      "inside.example": ["127.0.0.1"],
      "both.example": ["93.184.216.34", "127.0.0.1"],
      "mapped.example": ["::ffff:127.0.0.1"],
      "nat64.example": ["64:ff9b::7f00:1"],
    });
    for (const name of ["inside.example", "both.example", "mapped.example", "nat64.example"])
      await expect(
        fetchFrom(at(name), { resolve, allowedHosts: [], outboundPorts: [host.port] }),
      ).rejects.toThrow(refusalOf(name));
    expect(host.connections()).toBe(0);
  });

  test("a name without an address is refused like a private one, so that a file learns nothing", async () => {
    let asked = 0;
    const resolve: Resolve = (_name, _options, callback) => {
      asked += 1;
      callback(Object.assign(new Error("not found"), { code: "ENOTFOUND" }), undefined as never);
    };
    const name = "nowhere.example";
    await expect(
      fetchFrom(at(name), { resolve, allowedHosts: [], outboundPorts: [host.port] }),
    ).rejects.toThrow(refusalOf(name));
    expect(asked).toBe(1);
  });

  test("a name that a redirect leads to is judged like the first", async () => {
    const resolve = names({ "first.example": ["127.0.0.1"], "second.example": ["127.0.0.1"] });
    host.on("/a.png", (response) => void response.writeHead(302, { location: at("second.example") }).end());
    const options = { resolve, allowedHosts: ["first.example"], outboundPorts: [host.port] };
    await expect(fetchFrom(at("first.example"), options)).rejects.toThrow("second.example does not lead");
    expect(host.requests).toEqual(["/a.png"]);
  });

  test("a name is resolved once for a connection, which goes to the address that was checked", async () => {
    host.on("/a.png", png(1, 1));
    let asked = 0;
    // The first answer is the allowed one; resolving again would lead elsewhere.
    const resolve: Resolve = (_name, _options, callback) => {
      asked += 1;
      callback(null, [{ address: asked === 1 ? "127.0.0.1" : "127.9.9.9", family: 4 }]);
    };
    const options = { resolve, allowedHosts: ["cdn.example"] };
    await expect(fetchFrom(at("cdn.example"), options)).resolves.toMatchObject({ width: 1 });
    expect(asked).toBe(1);
  });

  test("a private name may be allowed, however it is written", async () => {
    host.on("/a.png", png(1, 1));
    const resolve = names({ "cdn.example": ["127.0.0.1"], "cdn.example.": ["127.0.0.1"] });
    for (const name of ["cdn.example", "CDN.example", "cdn.example."])
      await expect(fetchFrom(at(name), { resolve, allowedHosts: ["Cdn.Example"] })).resolves.toMatchObject({
        mimeType: "image/png",
      });
  });
});

describe("an image that is fetched", () => {
  test("a fetched image is stored for the tenant, with its facts, under a key made from its content", async () => {
    const url = host.on("/shop/My%20photo.jpeg?size=large", png(40, 30, 1, 500));
    const image = await fetchFrom(url);
    const sha256 = createHash("sha256")
      .update(png(40, 30, 1, 500))
      .digest("hex");
    expect(image).toEqual({
      key: image.key,
      mimeType: "image/png",
      width: 40,
      height: 30,
      size: 500,
      sha256,
    });
    expect(isUploadKey(image.key, tenantId, "MEDIA")).toBe(true);
    expect(image.key).toMatch(/\/My-photo\.png$/);
    expect(store.objects.get(image.key)?.content).toEqual(png(40, 30, 1, 500));
    expect(await fetchFrom(url)).toEqual(image);
    expect(store.objects.size).toBe(1);
  });

  test("an image may be fetched after redirects, and after a status that passes", async () => {
    let tries = 0;
    const image = host.on("/image", (response) => {
      tries += 1;
      if (tries === 1) response.writeHead(503).end();
      else response.end(png(2, 2));
    });
    const url = host.on("/from", (response) => void response.writeHead(307, { location: image }).end());
    await expect(fetchFrom(url)).resolves.toMatchObject({ key: expect.stringMatching(/\/from\.png$/) });
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("a response may be encoded as %s", async (encoding, encode) => {
    const url = host.on(
      "/a.svg",
      (response) => void response.setHeader("content-encoding", encoding).end(encode(svg())),
    );
    const image = await fetchFrom(url);
    expect(image).toMatchObject({ mimeType: "image/svg+xml", size: svg().length });
    expect(store.objects.get(image.key)?.content).toEqual(svg());
  });

  test("a large image is fetched through a temporary file, which is removed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "lading-fetch-"));
    vi.stubEnv("TMPDIR", folder);
    const large = png(9, 9, 3, 2_000_000);
    const url = host.on("/large.png", large);
    const image = await fetchFrom(url, { limits: { memory: 10_000 } });
    expect(store.objects.get(image.key)?.content.equals(large)).toBe(true);
    expect(await readdir(folder)).toEqual([]);
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  test("fetches share connections, even after the host has closed them", async () => {
    const url = host.on("/a.png", png(1, 1));
    const one = fetcher();
    const { signal } = new AbortController();
    for (let i = 0; i < 3; i++) await one.fetch(url, tenantId, signal);
    expect(host.connections()).toBe(1);
    host.disconnect();
    await one.fetch(url, tenantId, signal);
    expect(host.connections()).toBe(2);
  });
});
