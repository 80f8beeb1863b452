import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { openService, serviceEngines, type TestService } from "../support/service.ts";
import { dumpOf, restored, run } from "./dumping.ts";

const [front, back] = [png(4, 3, 1), png(5, 3, 2)];
const addresses = /\{\{ upload \\"([^"]*)\\" sha256=\\"[0-9a-f]{64}\\" \}\}/g;

describe.each(serviceEngines)("the images of a dump, on %s", (engine) => {
  let service: TestService;
  let host: ImageHost;
  beforeAll(async () => {
    service = await openService(engine, { rateLimit: 0, imageHosts: ["127.0.0.1"] });
    host = await openImageHost();
  });
  afterAll(async () => {
    await service?.close();
    await host?.close();
  });

  test("are fetched when it runs; their resource identifiers are reported", async () => {
    const uploaded = (path: string, image: Buffer, name = "") =>
      `{{ upload "${host.on(path, image)}" ${name && `"${name}"`} }}`;
    const named = "{{ valueOf (fetchImageByResourceIdentifier 'front') 'key' }}";
    const photos = { id: "photos", type: "images" };
    const source = await service.tenant("source");
    await run(source, {
      version: "1.0.0",
      operations: [
        { intent: "image/register", key: uploaded("/front.png", front, "front") },
        { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product", components: [photos] },
        {
          ...{ intent: "product/upsert", language: "en", name: "Tea", shapeIdentifier: "tea" },
          components: [{ componentId: "photos", images: [{ key: named, altText: "Front" }] }],
          variants: [
            { sku: "tea-1", name: "Tea", images: [{ key: uploaded("/back.png", back) }, { key: named }] },
          ],
        },
      ],
    });
    const dump = await dumpOf(source);
    expect(JSON.parse(dump).report).toEqual([
      { what: "the resource identifier of an image", count: 1, examples: ["front"] },
    ]);

    const again = await dumpOf(await restored(service, "target", dump));
    const withoutAddresses = (text: string) => text.replace(addresses, "").replace(/\],"report".*/, "]}");
    expect(withoutAddresses(again)).toBe(withoutAddresses(dump));
    const urls = [...again.matchAll(addresses)].map(([, url]) => url!);
    expect(urls.every((url) => !dump.includes(url))).toBe(true);
    const fetched = await Promise.all(urls.map(async (url) => (await fetch(url)).bytes()));
    expect(fetched.map((bytes) => Buffer.from(bytes))).toEqual([front, back, front]);
  });
});
