import { beforeEach, describe, expect, test } from "vitest";
import type { ObjectStore, ObjectStoreErrorName } from "../../../src/uploads/object-store.ts";

const key = "65a1b2c3d4e5f60718293a4b/mass-operations/0123456789abcdef0123456789abcdef/shop.json";
const roomy = { maxBytes: 1_000_000 };

/** A body in chunks; one that is an error is thrown. */
export async function* bodyOf(...chunks: (string | Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield Buffer.from(chunk);
  }
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString();
}

export const refusal = (name: ObjectStoreErrorName) => expect.objectContaining({ name });

/** Tests of what every object store does. `open` returns a new, empty one. */
export function testObjectStore(open: () => Promise<ObjectStore>): void {
  let store: ObjectStore;
  beforeEach(async () => {
    store = await open();
  });

  describe("writing", () => {
    test.each([
      "",
      "/",
      "/etc/passwd",
      "a/",
      "a//b",
      "..",
      "a/../b",
      "a/..",
      "./a",
      ".hidden",
      "a/.hidden",
      "a\\..\\b",
      "a\0b",
      "a b",
      "a~b",
      "a%2fb",
      "ä",
      "x".repeat(241),
    ])("a store refuses the key %j, in every use of it", async (bad) => {
      const invalid = refusal("InvalidKey");
      await expect(store.put(bad, bodyOf("text"), roomy)).rejects.toEqual(invalid);
      await expect(store.stat(bad)).rejects.toEqual(invalid);
      await expect(textOf(store.read(bad))).rejects.toEqual(invalid);
      await expect(store.delete(bad)).rejects.toEqual(invalid);
    });

    test("a store refuses a second object under a key and keeps the first", async () => {
      await store.put(key, bodyOf("first"), roomy);
      await expect(store.put(key, bodyOf("second"), roomy)).rejects.toEqual(refusal("ObjectExists"));
      expect(await textOf(store.read(key))).toBe("first");
    });

    test("a store lets exactly one of many concurrent writers of a key win, whole", async () => {
      const started = Promise.withResolvers<void>();
      let waiting = 10;
      async function* together(text: string) {
        yield Buffer.from(text);
        if (--waiting === 0) started.resolve();
        await started.promise;
        yield Buffer.from(text);
      }
      const writers = Array.from({ length: 10 }, (_, n) => store.put(key, together(`writer ${n};`), roomy));
      const results = await Promise.allSettled(writers);
      const winner = results.findIndex(({ status }) => status === "fulfilled");
      const losers = results.filter(({ status }) => status === "rejected");
      expect(losers).toEqual(
        Array.from({ length: 9 }, () => expect.objectContaining({ reason: refusal("ObjectExists") })),
      );
      expect(await textOf(store.read(key))).toBe(`writer ${winner};`.repeat(2));
    });

    test("a store keeps nothing of a body that fails halfway, and passes its error on", async () => {
      const failure = new Error("the client is gone");
      await expect(store.put(key, bodyOf("half", failure), roomy)).rejects.toBe(failure);
      expect(await store.stat(key)).toBeUndefined();
      await store.put(key, bodyOf("whole"), roomy);
      expect(await textOf(store.read(key))).toBe("whole");
    });

    test("a store refuses a body with one byte too many without asking for the rest of it", async () => {
      const body = bodyOf("12345", "6", new Error("nobody may ask for this"));
      await expect(store.put(key, body, { maxBytes: 5 })).rejects.toEqual(refusal("ObjectTooLarge"));
      expect(await store.stat(key)).toBeUndefined();
    });

    test("a store refuses a body with one byte too few", async () => {
      const limits = { minBytes: 6, maxBytes: 10 };
      await expect(store.put(key, bodyOf("12345"), limits)).rejects.toEqual(refusal("ObjectTooSmall"));
      expect(await store.stat(key)).toBeUndefined();
    });

    test("a store takes a body of exactly the limits, and an empty one", async () => {
      expect(await store.put("a/five", bodyOf("12", "345"), { minBytes: 5, maxBytes: 5 })).toMatchObject({
        bytes: 5,
      });
      expect(await store.put("a/none", bodyOf(), { maxBytes: 0 })).toMatchObject({ bytes: 0 });
    });

    test("a store shows nothing under the key before all of the body has come", async () => {
      const seen: unknown[] = [];
      async function* watched() {
        yield Buffer.from("half");
        seen.push(await store.stat(key));
        yield Buffer.from("whole");
        seen.push(await store.stat(key));
      }
      await store.put(key, watched(), roomy);
      expect(seen).toEqual([undefined, undefined]);
      expect(await store.stat(key)).toMatchObject({ bytes: 9 });
    });

    test("a store keeps keys apart that differ only in their slashes", async () => {
      await store.put("a/b/c", bodyOf("slashes"), roomy);
      await store.put("a-b-c", bodyOf("dashes"), roomy);
      expect(await textOf(store.read("a/b/c"))).toBe("slashes");
    });
  });

  describe("reading", () => {
    test("a store reports a missing object", async () => {
      expect(await store.stat(key)).toBeUndefined();
      await expect(textOf(store.read(key))).rejects.toEqual(refusal("ObjectMissing"));
      await expect(textOf(store.read(key, { etag: "any" }))).rejects.toEqual(refusal("ObjectMissing"));
    });

    test("a store refuses to read another version than the pinned one", async () => {
      await store.put(key, bodyOf("text"), roomy);
      await expect(textOf(store.read(key, { etag: "another" }))).rejects.toEqual(refusal("ObjectChanged"));
    });

    test("reading an object starts at any byte up to its end, and not beyond", async () => {
      await store.put(key, bodyOf("0123456789"), roomy);
      expect(await textOf(store.read(key, { start: 7 }))).toBe("789");
      expect(await textOf(store.read(key, { start: 10 }))).toBe("");
      await expect(textOf(store.read(key, { start: 11 }))).rejects.toEqual(refusal("InvalidRange"));
    });

    test("reading an object ends before any byte, at the latest at its end", async () => {
      await store.put(key, bodyOf("0123456789"), roomy);
      expect(await textOf(store.read(key, { start: 3, end: 5 }))).toBe("34");
      expect(await textOf(store.read(key, { start: 8, end: 99 }))).toBe("89");
      expect(await textOf(store.read(key, { start: 4, end: 4 }))).toBe("");
      const large = Buffer.alloc(900_000, "0123456789abcdef-");
      await store.put("a/large", bodyOf(large), roomy);
      const part = Buffer.concat(await Array.fromAsync(store.read("a/large", { start: 5, end: 800_001 })));
      expect(part.equals(large.subarray(5, 800_001))).toBe(true);
    });

    test("an object is read as written, over many chunks, with the same etag every time", async () => {
      const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, n) => (n * 7 + (n >> 8)) & 0xff));
      const { etag } = await store.put(
        key,
        bodyOf(bytes.subarray(0, 300_000), bytes.subarray(300_000)),
        roomy,
      );
      expect(await store.stat(key)).toEqual({ bytes: 700_001, etag });
      const read = Buffer.concat(await Array.fromAsync(store.read(key, { etag })));
      expect(read.equals(bytes)).toBe(true);
      const tail = Buffer.concat(await Array.fromAsync(store.read(key, { etag, start: 400_000 })));
      expect(tail.equals(bytes.subarray(400_000))).toBe(true);
    });

    test("reading an object can be given up half-way", async () => {
      await store.put(key, bodyOf("x".repeat(900_000)), roomy);
      for await (const chunk of store.read(key)) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(await textOf(store.read(key, { start: 899_999 }))).toBe("x");
    });
  });

  describe("listing", () => {
    const listed = async (prefix: string) =>
      (await Array.fromAsync(store.list(prefix))).sort((a, b) => (a.key < b.key ? -1 : 1));

    test("an empty store lists nothing", async () => {
      expect(await listed("")).toEqual([]);
    });

    test("a store lists what begins with a prefix, with its size", async () => {
      for (const each of ["one/b", "one/a/c", "one-more/a", "two/one/a"])
        await store.put(each, bodyOf("x".repeat(each.length)), roomy);
      const [a, b] = [
        { key: "one/a/c", bytes: 7 },
        { key: "one/b", bytes: 5 },
      ];
      expect(await listed("one/")).toEqual([a, b]);
      expect(await listed("three/")).toEqual([]);
      const more = [{ key: "one-more/a", bytes: 10 }, a, b, { key: "two/one/a", bytes: 9 }];
      expect(await listed("")).toEqual(more);
    });
  });

  describe("deleting", () => {
    test("deleting an object that does not exist succeeds", async () => {
      await expect(store.delete(key)).resolves.toBeUndefined();
    });

    test("deleting removes the object and frees its key", async () => {
      await store.put(key, bodyOf("first"), roomy);
      await store.delete(key);
      expect(await store.stat(key)).toBeUndefined();
      await expect(textOf(store.read(key))).rejects.toEqual(refusal("ObjectMissing"));
      await store.put(key, bodyOf("second"), roomy);
      expect(await textOf(store.read(key))).toBe("second");
    });

    test("deleting all under a prefix leaves keys that only begin alike", async () => {
      const under = Array.from({ length: 20 }, (_, n) => `one/media/${n}/a.png`);
      const others = ["one-more/media/1/a.png", "on/e/media/1/a.png", "two/one/a.png"];
      for (const each of [...under, ...others]) await store.put(each, bodyOf("x"), roomy);
      await store.deleteAll("one/");
      await store.deleteAll("one/");
      for (const each of under) expect(await store.stat(each)).toBeUndefined();
      for (const each of others) expect(await store.stat(each)).toBeDefined();
      for (const prefix of ["", "/", "one", "../"])
        await expect(store.deleteAll(prefix)).rejects.toEqual(refusal("InvalidKey"));
    });

    test("a reader notices between two chunks that the object was deleted", async () => {
      const { etag } = await store.put(key, bodyOf("x".repeat(900_000)), roomy);
      const reader = store.read(key, { etag })[Symbol.asyncIterator]();
      await reader.next();
      await store.delete(key);
      const rest = async () => {
        while (!(await reader.next()).done);
      };
      await expect(rest()).rejects.toEqual(refusal("ObjectMissing"));
    });
  });
}
