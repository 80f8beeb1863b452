import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { componentIds, content, item, runOnModel, variant } from "../support/images/content.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import { png } from "../support/images/samples.ts";
import { upload } from "../support/images/uploading.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

describe.each(engines)("content with an image that cannot be fetched, on $name,", ({ open }) => {
  let bench: RunnerBench;
  let host: ImageHost;
  let good: string;
  let missing: string;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
    host = await openImageHost();
    good = host.on("/good.png", png(3, 2));
    missing = `${host.url}/missing.png`;
  });
  afterEach(() => bench.stopRunners());
  afterAll(async () => {
    await host.close();
    await bench.close();
  });

  test.each(["product", "document", "folder"])(
    "an image that cannot be fetched keeps its stored components of a %s; others are written",
    async (kind) => {
      const text = { componentId: "gallery", images: [{ key: "plain" }] };
      const { log, contents } = await runOnModel(bench, [
        item(kind, "create", { components: content(good) }),
        item(kind, "update", { components: [...content(missing, [{ key: upload(good) }]).slice(1), text] }),
        ...content(missing).map((component) => ({
          ...{ intent: "item/updateComponent/item", resourceIdentifier: "item", language: "en", component },
        })),
      ]);
      expect(log.map(({ statusCode }) => statusCode)).toEqual([200, 206, ...componentIds.map(() => 206)]);
      expect(log[1]).toMatchObject({
        action: "updated",
        output: { kept: componentIds.slice(1).map((_, i) => expect.stringMatching(`^/components/${i}/`)) },
      });
      expect(log.slice(2).map(({ action }) => action)).toEqual(componentIds.map(() => "unchanged"));
      const [draft] = contents;
      expect(draft?.components?.map(({ componentId }) => componentId)).toEqual([
        ...componentIds.slice(1),
        "gallery",
      ]);
      const before = log[0]?.command as { components: object[] };
      expect(draft?.components).toMatchObject([...before.components.slice(1), text]);
    },
  );

  test("an image that cannot be fetched omits only its entry if nothing is stored yet", async () => {
    const list = [{ key: upload(missing) }, { key: upload(good) }];
    const fields = {
      components: [{ componentId: "gallery", images: list }],
      variants: [variant("new", { images: list, components: [{ componentId: "gallery", images: list }] })],
    };
    const { log, contents, variants } = await runOnModel(bench, [
      item("product", "upsert", fields),
      {
        ...item("product", "upsert", fields),
        resourceIdentifier: "empty",
        components: [],
        variants: [variant("bare", {})],
      },
      {
        ...item("product", "upsert", { ...fields, variants: [variant("bare", { images: list })] }),
        resourceIdentifier: "empty",
      },
    ]);
    expect(log.map(({ statusCode }) => statusCode)).toEqual([206, 200, 206]);
    for (const { output } of log) expect(output).not.toHaveProperty("kept");
    const one = [{ key: expect.stringContaining("/media/") }];
    expect(contents.map((row) => row?.components)).toEqual([
      [{ componentId: "gallery", images: one }],
      [{ componentId: "gallery", images: one }],
    ]);
    expect(variants.map((row) => row.images)).toEqual([one, one]);
  });
});
