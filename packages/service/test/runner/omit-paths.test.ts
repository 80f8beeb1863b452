import { describe, expect, test } from "vitest";
import { omitPaths } from "../../src/runner/images/omit-paths.ts";

const payload = {
  name: "Sencha",
  key: "own",
  images: [{ key: "a" }, { key: "b", altText: "B" }, { key: "c" }],
  html: ["one", "two", "three"],
  nested: [{ images: [{ key: "d" }] }],
};

describe("a payload without texts that have no answer", () => {
  test("omitPaths copies the payload, and leaves the original as it was", () => {
    const before = structuredClone(payload);
    expect(omitPaths(payload, [["name"], ["images", 0, "key"]])).not.toHaveProperty("name");
    expect(payload).toEqual(before);
  });

  test("omitPaths leaves out a field, an entry of a list, and an entry by its key", () => {
    const rest = omitPaths(payload, [
      ["key"],
      ["html", 1],
      ["images", 1, "key"],
      ["nested", 0, "images", 0, "key"],
    ]);
    expect(rest).toEqual({
      name: "Sencha",
      images: [{ key: "a" }, { key: "c" }],
      html: ["one", "three"],
      nested: [{ images: [] }],
    });
  });

  test("omitPaths leaves out several entries of one list, whatever else is in one of them", () => {
    const paths = [
      ["images", 2, "key"],
      ["images", 0, "key"],
      ["images", 1, "key"],
      ["images", 1, "altText"],
    ];
    expect(omitPaths(payload, paths).images).toEqual([]);
    expect(omitPaths(payload, [["images", 1, "altText"]]).images).toEqual([
      { key: "a" },
      { key: "b" },
      { key: "c" },
    ]);
  });

  test("omitPaths keeps the entries of lists that hold no images, even when a key is left out", () => {
    const meta = { meta: [{ key: "a", value: "A" }], variants: [{ sku: "a", key: "b" }] };
    const paths = [
      ["meta", 0, "key"],
      ["variants", 0, "key"],
    ];
    expect(omitPaths(meta, paths)).toEqual({ meta: [{ value: "A" }], variants: [{ sku: "a" }] });
  });

  test("omitPaths can handle very long lists", () => {
    const images = Array.from({ length: 150_000 }, () => ({ key: "a" }));
    expect(omitPaths({ images }, [["images", 0, "key"]]).images).toHaveLength(149_999);
  });
});
