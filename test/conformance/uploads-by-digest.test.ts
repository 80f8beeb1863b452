import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { contentKey, newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import { engines } from "../support/engines.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("uploads of images with a digest, on $name", ({ open }) => {
  let bench: RunnerBench;
  let host: ImageHost;
  let number = 0;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
    host = await openImageHost();
    await bench.runner();
  });
  afterAll(async () => {
    await bench.close();
    await host.close();
  });

  const image = (path = "photo.png") => {
    const content = png(1, 1, ++number);
    const sha256 = createHash("sha256").update(content).digest("hex");
    const url = host.on(`/${number}/${path}`, content);
    return { content, sha256, url, upload: `{{ upload "${url}" sha256="${sha256}" }}` };
  };
  const register = (key: string) => ({ intent: "image/register", key });
  async function logOf(operations: readonly object[], tenant: Tenant, kind: "run" | "plan" = "run") {
    const id = await bench.start(operations, { tenant, kind });
    expect(await bench.ended(id, tenant)).toMatchObject({ status: "complete" });
    return bench.log(id, tenant);
  }
  const keysIn = async (tenant: Tenant) =>
    (
      await bench.database.query<{ key: string }>("SELECT key FROM images WHERE tenant_id = $1 ORDER BY 1", [
        tenant.id,
      ])
    ).map(({ key }) => key);
  async function uploaded(content: Buffer, tenant: Tenant, name: string) {
    const key = newUploadKey(tenant.id, name, "MEDIA");
    await bench.store.put(key, [content] as never, { maxBytes: 1e6 });
    await logOf([register(key)], tenant);
    return key;
  }

  test("an image with another digest is not stored, and the error names both", async () => {
    const tenant = await bench.newTenant();
    const [photo, other] = [image(), image()];
    const wrong = `{{ upload "${photo.url}" sha256="${other.sha256}" }}`;
    const photos = { id: "photos", name: "Photos", type: "images" };
    const [registered, , product] = await logOf(
      [
        register(wrong),
        { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product", components: [photos] },
        {
          ...{ intent: "product/upsert", language: "en", name: "Tea", shapeIdentifier: "tea" },
          ...{ variants: [{ sku: "tea", name: "Tea", images: [{ key: wrong }] }] },
          components: [{ componentId: "photos", images: [{ key: photo.upload }] }],
        },
      ],
      tenant,
    );
    const message =
      `The image ${photo.url} could not be fetched: ` + `its SHA-256 is ${photo.sha256}, not ${other.sha256}`;
    const problem = { code: "ImageNotFetched", message };
    expect(registered).toMatchObject({ statusCode: 400, errorName: "ImageFetchError", message });
    expect(product).toMatchObject({
      ...{ statusCode: 206, errorName: "ImageFetchError" },
      errors: [{ ...problem, path: ["variants", 0, "images", 0, "key"] }],
    });
    expect(await keysIn(tenant)).toEqual([contentKey(tenant.id, photo.sha256, "photo.png")]);
  });

  test("a text that is not a digest fails the operation", async () => {
    const { url } = image();
    const [failed] = await logOf(
      [register(`{{ upload "${url}" sha256=defaults.tenantId }}`)],
      await bench.newTenant(),
    );
    expect(failed).toMatchObject({
      ...{ statusCode: 400, errorName: "TemplateError" },
      message: expect.stringContaining('"upload" takes 64 hexadecimal digits as sha256, not the text "'),
    });
  });

  test("an image of another tenant is not used", async () => {
    const [owner, tenant] = [await bench.newTenant(), await bench.newTenant()];
    const photo = image();
    await logOf([register(photo.upload)], owner);
    host.requests.length = 0;
    const [planned] = await logOf([register(photo.upload)], tenant, "plan");
    expect(planned).toMatchObject({ action: "created" });
    await logOf([register(photo.upload)], tenant);
    expect(host.requests).toHaveLength(1);
    expect(await keysIn(tenant)).toEqual([contentKey(tenant.id, photo.sha256, "photo.png")]);
  });

  test("an image that the tenant has is not fetched, and its plan shows its key", async () => {
    const tenant = await bench.newTenant();
    const photo = image();
    const sameElsewhere = `{{ upload "${host.url}/nowhere/other.png" sha256="${photo.sha256.toUpperCase()}" }}`;
    await logOf([register(photo.upload)], tenant);
    host.requests.length = 0;
    for (const kind of ["plan", "run"] as const)
      expect(await logOf([register(photo.upload), register(sameElsewhere)], tenant, kind)).toMatchObject([
        { action: "unchanged", output: { key: contentKey(tenant.id, photo.sha256, "photo.png") } },
        { action: "unchanged", output: { key: contentKey(tenant.id, photo.sha256, "photo.png") } },
      ]);
    expect(host.requests).toEqual([]);
  });

  test("among several images with a digest the URL decides, also for one that a client uploaded", async () => {
    const tenant = await bench.newTenant();
    const photo = image();
    const keys = [
      await uploaded(photo.content, tenant, "one.png"),
      await uploaded(photo.content, tenant, "two.png"),
    ];
    for (const key of keys) {
      const named = `{{ upload "${host.url}/${key}" sha256="${photo.sha256}" }}`;
      const [entry] = await logOf([register(named)], tenant);
      expect(entry).toMatchObject({ action: "unchanged", output: { key } });
    }
    expect(await keysIn(tenant)).toEqual(keys.toSorted());
  });
});
