import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OperationLog } from "../../packages/service/src/tasks/logs.ts";
import { engines } from "../support/engines.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import {
  gallery,
  product,
  register,
  runUploading,
  type UploadingOptions,
  upload,
} from "../support/images/uploading.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

describe.each(engines)("images that operations upload, on $name", ({ open }) => {
  let host: ImageHost;
  const bench = opened(() => openRunnerBench(open));
  beforeEach(async () => {
    host = await openImageHost();
  });
  afterEach(async () => {
    await bench.stopRunners();
    await host.close();
  });

  const run = (operations: object[], options?: UploadingOptions) => runUploading(bench, operations, options);

  const statuses = (log: OperationLog[]) => log.map(({ statusCode, action }) => [statusCode, action]);

  test("an image that cannot be fetched fails an operation that has nothing else", async () => {
    const page = host.on("/page.png", Buffer.from("<html>"));
    const { log, keys } = await run([
      register(upload(`${host.url}/missing.png`)),
      register(upload(page)),
      register(upload("http://10.1.2.3/a.png")),
      register(upload("ftp://example.com/a.png")),
      register('{{ upload "" }}'),
      register("{{ upload 7 }}"),
      { ...product("named"), name: upload(page) },
    ]);
    expect(
      log.map(({ statusCode, errorName, errors }) => [statusCode, errorName, errors?.[0]?.path]),
    ).toEqual([
      [400, "ImageFetchError", ["key"]],
      [400, "ImageFetchError", ["key"]],
      [400, "ImageFetchError", ["key"]],
      [400, "ImageFetchError", ["key"]],
      [400, "ImageFetchError", ["key"]],
      [400, "TemplateError", ["key"]],
      [400, "ImageFetchError", ["name"]],
    ]);
    expect(log[0]?.message).toBe(
      `The image ${host.url}/missing.png could not be fetched: its host answered HTTP 404 Not Found`,
    );
    expect(log[2]?.message).toContain("10.1.2.3 does not lead to a public address");
    expect(keys).toEqual([]);
  });

  test("images that cannot be fetched are left out if the rest is valid; the operation is partial", async () => {
    const good = host.on("/good.png", png(3, 2));
    const bad = `${host.url}/bad.png`;
    const { log, keys } = await run([
      product("one", { components: gallery(upload(bad), upload(good), upload(`${bad}?2`)) }),
      product("none", { components: gallery(upload(bad)) }),
      product("two", {
        variants: [
          {
            sku: "two",
            name: "Two",
            images: [{ key: upload(bad), altText: "{{ defaults.languages.[0] }}" }],
          },
        ],
      }),
    ]);
    expect(log).toMatchObject([
      {
        status: "partial",
        statusCode: 206,
        errorName: "ImageFetchError",
        action: "created",
        message: expect.stringContaining("bad.png could not"),
      },
      { status: "partial", statusCode: 206 },
      { status: "partial", statusCode: 206, errors: [{ path: ["variants", 0, "images", 0, "key"] }] },
    ]);
    expect(log[0]?.errors).toMatchObject([
      { code: "ImageNotFetched", path: ["components", 0, "images", 0, "key"] },
      { code: "ImageNotFetched", path: ["components", 0, "images", 2, "key"] },
    ]);
    expect(keys).toHaveLength(1);
    expect(log[0]?.command).toMatchObject({ components: gallery(keys[0] as string) });
    expect(log[2]?.command).toMatchObject({ variants: [{ images: [] }] });
    expect(log[0]?.output).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{24}$/) });
  });

  test("failed images fail an operation that is invalid without them, and come first in the error", async () => {
    const bad = `${host.url}/bad.png`;
    const { log } = await run([
      product("required", { shapeIdentifier: "pictured", components: gallery(upload(bad)) }),
      product("elsewhere", { tree: { parentId: "f".repeat(24) }, components: gallery(upload(bad)) }),
      {
        ...{ intent: "document/update", itemId: "{{ defaults.rootItemId }}", language: "en" },
        components: gallery(upload(bad)),
      },
    ]);
    expect(log).toMatchObject([
      { status: "failure", statusCode: 400, message: expect.stringContaining("HTTP 404") },
      {
        status: "failure",
        statusCode: 404,
        message: expect.stringMatching(/ffff.*Also: The image .* HTTP 404/),
      },
      { status: "failure", statusCode: 409, errorName: "ConflictError" },
    ]);
    expect(log[0]?.errors?.map(({ code }) => code)).toEqual(["ImageNotFetched", "RequiredComponentMissing"]);
    expect(log[1]?.errors?.map(({ code, path }) => [code, path])).toEqual([
      ["ItemNotFound", ["tree", "parentId"]],
      ["ImageNotFetched", ["components", 0, "images", 0, "key"]],
    ]);
    expect(log[2]?.errors?.map(({ code }) => code)).toEqual(["Conflict", "ImageNotFetched"]);
  });

  test("images are discarded when their operation fails", async () => {
    const url = host.on("/a.png", png(3, 2));
    const { tenant, log, keys } = await run([
      product("lost", { shapeIdentifier: "unknown", components: gallery(upload(url)) }),
    ]);
    expect(statuses(log)).toEqual([[404, null]]);
    const command = log[0]?.command as ReturnType<typeof product> & {
      components: ReturnType<typeof gallery>;
    };
    const key = command.components[0]?.images[0]?.key as string;
    expect(key).toContain(`${tenant.id}/media/`);
    expect(keys).toEqual([]);
    expect(await bench.store.stat(key)).toBeUndefined();
  });

  test("images are fetched once, and registered once per operation and task", async () => {
    const url = host.on("/a.png", png(3, 2));
    const { log, registered } = await run([
      register(upload(url), { _ref: "first" }),
      register(upload(url)),
      product("one", { components: gallery(upload(url), upload(url)) }),
      register("{{ first.key }}", { resourceIdentifier: "again" }),
    ]);
    expect(statuses(log)).toEqual([
      [200, "created"],
      [200, "unchanged"],
      [200, "created"],
      [200, "updated"],
    ]);
    expect(host.requests).toEqual(["/a.png"]);
    expect(registered).toMatchObject([
      { resourceIdentifier: "again", width: 3, height: 2, mimeType: "image/png" },
    ]);
  });

  test("any operation registers the images it uploads, with its resource identifier if any", async () => {
    const one = host.on("/one.png", png(1, 1));
    const other = host.on("/other.png", png(2, 2));
    const { log, registered } = await run([
      product("one", { components: gallery(`{{ upload '${one}' 'hero' }}`) }),
      register("{{ valueOf (fetchImageByResourceIdentifier 'hero') 'key' }}"),
      product("two", { components: gallery(`{{ upload '${other}' 'hero' }}`) }),
    ]);
    expect(statuses(log)).toEqual([
      [200, "created"],
      [200, "unchanged"],
      [409, null],
    ]);
    expect(registered).toMatchObject([{ resourceIdentifier: "hero", width: 1 }]);
  });

  test("URLs of images may come from earlier operations or branches", async () => {
    host.on("/en/a.png", png(5, 5));
    const chosen = host.on("/chosen.png", png(6, 6));
    const { log, registered } = await run([
      register(upload(chosen), { _ref: "first" }),
      register(
        `{{#if first.key}}{{ upload "${chosen}" }}{{else}}{{ upload "${host.url}/never.png" }}{{/if}}`,
      ),
      product("one", { components: gallery('{{ upload (lookup first "key") }}') }),
      { intent: "customer/create", _ref: "base", identifier: `${host.url}/en/a.png` },
      register("{{ upload base.identifier }}"),
      register('{{ upload base.identifier "dynamic" }}'),
    ]);
    expect(statuses(log)).toEqual([
      [200, "created"],
      [200, "unchanged"],
      [206, "created"],
      [200, "created"],
      [200, "created"],
      [200, "updated"],
    ]);
    expect(registered.map(({ resourceIdentifier }) => resourceIdentifier).sort()).toEqual(["dynamic", null]);
    expect(host.requests.sort()).toEqual(["/chosen.png", "/en/a.png"]);
  });
});
