import { expect, onTestFinished, test, vi } from "vitest";
import { gif, png, svg } from "../../../../test/support/images/samples.ts";
import { images } from "../../src/storage/collections/images.ts";
import { newUploadKey, type UploadType } from "../../src/uploads/keys.ts";
import { describeOnEngines, type Shop } from "../support/commands.ts";

async function upload(shop: Shop, content: Buffer, type: UploadType = "MEDIA"): Promise<string> {
  const key = newUploadKey(shop.tenant.id, "file.png", type);
  await shop.store.put(key, [content] as never, { maxBytes: 1e6 });
  return key;
}

describeOnEngines("image/register", (shop) => {
  test("image/register fails when nothing was uploaded under the key", async () => {
    const missing = newUploadKey(shop().tenant.id, "a.png", "MEDIA");
    for (const key of [missing, "a.png", "../a.png", "x".repeat(3_000), `${shop().tenant.id}/media`])
      expect(await shop().refused("image/register", { key })).toMatchObject({
        ...{ name: "UploadNotFoundError", statusCode: 404, errors: [{ path: ["key"] }] },
        message: expect.stringMatching(/^.{1,400}$/),
      });
    expect(await shop().all(images)).toEqual([]);
  });

  test("image/register fails when the key is another tenant's, or of another type of upload", async () => {
    const neighbour = await shop().neighbour();
    for (const key of [
      await upload(neighbour, png(1, 1)),
      await upload(shop(), png(1, 1), "MASS_OPERATIONS"),
    ])
      expect(await shop().refused("image/register", { key })).toMatchObject({ name: "UploadNotFoundError" });
  });

  test("image/register fails when the uploaded file is not an image", async () => {
    const key = await upload(shop(), Buffer.from("%PDF-1.7"));
    expect(await shop().refused("image/register", { key })).toMatchObject({
      ...{ name: "ValidationError", statusCode: 400, errors: [{ path: ["key"] }] },
      message: expect.stringContaining("GIF, PNG, JPEG, WebP, AVIF and SVG"),
    });
  });

  test("image/register fails when the tenant lacks the language, or the resource identifier is too long", async () => {
    const key = await upload(shop(), png(1, 1));
    const language = await shop().refused("image/register", { key, language: "xx" });
    expect(language).toMatchObject({ name: "SettingNotFoundError", errors: [{ path: ["language"] }] });
    const long = await shop().refused("image/register", { key, resourceIdentifier: "x".repeat(513) });
    expect(long).toMatchObject({ name: "ValidationError", errors: [{ path: ["resourceIdentifier"] }] });
  });

  test("image/register fails when another image has the identifier, or the image has another one", async () => {
    const [one, other] = [await upload(shop(), png(1, 1)), await upload(shop(), png(2, 2))];
    await shop().done("image/register", { key: one, resourceIdentifier: "hero" });
    const taken = await shop().refused("image/register", { key: other, resourceIdentifier: "hero" });
    expect(taken).toMatchObject({ name: "ResourceIdentifierTakenError", statusCode: 409 });
    expect(taken.message).toContain(one);
    const second = await shop().refused("image/register", { key: one, resourceIdentifier: "villain" });
    expect(second).toMatchObject({ name: "ConflictError", message: expect.stringContaining('"hero"') });
    expect((await shop().all(images)).map(({ key }) => key)).toEqual([one]);
  });

  test("image/register reads no file whose identifier it refuses, and another file than an image only once", async () => {
    const [one, other] = [await upload(shop(), png(1, 1)), await upload(shop(), png(2, 2))];
    const text = await upload(shop(), Buffer.from("%PDF-1.7"));
    await shop().done("image/register", { key: one, resourceIdentifier: "hero" });
    const read = vi.spyOn(shop().store, "read");
    onTestFinished(() => read.mockRestore());
    await shop().refused("image/register", { key: other, resourceIdentifier: "hero" });
    await shop().refused("image/register", { key: other, resourceIdentifier: "x".repeat(513) });
    await shop().refused("image/register", { key: other, resourceIdentifier: " villain " });
    expect(read).not.toHaveBeenCalled();
    for (let i = 0; i < 3; i++)
      expect(await shop().refused("image/register", { key: text })).toMatchObject({
        name: "ValidationError",
      });
    expect(read).toHaveBeenCalledOnce();
  });

  test("image/register may take a resource identifier after an operation of its batch failed to", async () => {
    const key = await upload(shop(), png(1, 1));
    const outcomes = await shop().batch([
      ["image/register", { key: "missing", resourceIdentifier: "hero" }],
      ["image/register", { key, resourceIdentifier: "hero" }],
    ]);
    expect(outcomes).toMatchObject([{ name: "UploadNotFoundError" }, { action: "created" }]);
  });

  test("image/register stores the size and type that the file states", async () => {
    const key = await upload(shop(), gif(30, 20));
    const result = await shop().done("image/register", { key, resourceIdentifier: "hero" });
    expect(result).toEqual({ action: "created", output: { id: key, key, language: "en" } });
    expect(await shop().get(images, key)).toMatchObject({
      ...{ key, resourceIdentifier: "hero", mimeType: "image/gif" },
      ...{ width: 30, height: 20, size: gif(30, 20).length },
    });
    const drawing = await upload(shop(), svg(""));
    await shop().done("image/register", { key: drawing, language: "en" });
    expect(await shop().get(images, drawing)).toMatchObject({ mimeType: "image/svg+xml", width: null });
  });

  test("a second image/register changes nothing, but adds a resource identifier that was missing", async () => {
    const key = await upload(shop(), png(1, 1));
    await shop().done("image/register", { key });
    const first = await shop().get(images, key);
    expect(await shop().done("image/register", { key })).toMatchObject({ action: "unchanged" });
    expect(await shop().get(images, key)).toEqual(first);
    const again = { key, resourceIdentifier: "hero" };
    expect(await shop().done("image/register", again)).toMatchObject({ action: "updated" });
    expect(await shop().done("image/register", again)).toMatchObject({ action: "unchanged" });
    expect((await shop().get(images, key))?.resourceIdentifier).toBe("hero");
  });

  test("many image/register operations need as many statements as one", async () => {
    const counts: object[] = [];
    for (const count of [1, 50]) {
      const keys: string[] = [];
      for (let i = 0; i < count; i++) keys.push(await upload(shop(), png(i + 1, 1)));
      await shop().batch(keys.map((key) => ["image/register", { key, resourceIdentifier: key }]));
      counts.push({ ...shop().statements });
    }
    expect(counts[1]).toEqual(counts[0]);
  });
});
