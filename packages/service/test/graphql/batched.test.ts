import { describe, expect, test } from "vitest";
import { documentCache } from "../../src/graphql/execution/document-cache.ts";
import { batched } from "../../src/storage/pages/batched.ts";

describe("a batched function", () => {
  const doubling = () => {
    const loads: string[][] = [];
    const load = async (keys: string[]) => {
      loads.push(keys);
      return new Map(keys.filter((key) => key !== "none").map((key) => [key, key + key]));
    };
    return { loads, double: batched(load) };
  };

  test("a batched function fails for all callers when its load fails, and works again afterwards", async () => {
    let fails = true;
    const load = batched(async (keys) => {
      if (fails) throw new Error("broken");
      return new Map(keys.map((key) => [key, key]));
    });
    const failed = await Promise.allSettled([load("a"), load("b")]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    fails = false;
    expect(await load("a")).toBe("a");
  });

  test("a batched function loads all keys of the moment together, even from within other promises", async () => {
    const { loads, double } = doubling();
    const later = async (key: string) => {
      await Promise.resolve();
      return double(key);
    };
    expect(await Promise.all([double("a"), double("b"), double("a"), later("c"), double("none")])).toEqual([
      "aa",
      "bb",
      "aa",
      "cc",
      undefined,
    ]);
    expect(loads).toEqual([["a", "b", "none", "c"]]);
  });

  test("a batched function keeps nothing: a later call loads again", async () => {
    const { loads, double } = doubling();
    await double("a");
    await double("a");
    expect(loads).toEqual([["a"], ["a"]]);
  });
});

describe("the cache of documents", () => {
  test("the cache of documents skips long ones, and drops the oldest when it is full", () => {
    const cache = documentCache<number>();
    cache.set("x".repeat(10_001), 1);
    expect(cache.get("x".repeat(10_001))).toBeUndefined();
    const sources = Array.from({ length: 101 }, (_, number) => String(number).padEnd(10_000, " "));
    for (const [number, source] of sources.entries()) cache.set(source, number);
    expect(cache.get(sources[0]!)).toBeUndefined();
    expect(sources.slice(1).map((source) => cache.get(source))).toEqual(
      sources.slice(1).map((_, index) => index + 1),
    );
  });
});
