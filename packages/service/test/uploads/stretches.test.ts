import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readValidated, stretchBytes, stretchHashes } from "../../src/uploads/stretches.ts";

const file = randomBytes(2.5 * stretchBytes);

function hashesOf(bytes: Buffer, chunk: number): string {
  const hashes = stretchHashes();
  for (let at = 0; at < bytes.length; at += chunk) hashes.add(bytes.subarray(at, at + chunk));
  return hashes.base64();
}

const hashes = hashesOf(file, 16 * 1024);

/** Reads from the cursor, in chunks of a given size; returns the text, and the error that ended it. */
async function read(
  bytes: Buffer,
  cursorOffset: number,
  { chunk = 700_000, stretchHashes = hashes as string | null } = {},
) {
  const store = {
    async *read(_key: string, { start = 0 } = {}) {
      for (let at = start; at < bytes.length; at += chunk)
        yield bytes.subarray(at, Math.min(at + chunk, bytes.length));
    },
  };
  const task = { key: "k", etag: "e", stretchHashes };
  const seen: Uint8Array[] = [];
  let error: unknown;
  try {
    for await (const part of readValidated(store, task, cursorOffset)) seen.push(part);
  } catch (caught) {
    error = caught;
  }
  return { bytes: Buffer.concat(seen), error };
}

const altered = (at: number) => {
  const copy = Buffer.from(file);
  copy[at] = (copy[at] as number) ^ 1;
  return copy;
};
const changed = expect.objectContaining({ name: "ObjectChanged" });

describe("the file of a validated task", () => {
  test("a file has the same hashes however it is cut into chunks", () => {
    for (const chunk of [1_000, stretchBytes, 3 * stretchBytes]) expect(hashesOf(file, chunk)).toBe(hashes);
  });

  test.each([0, 1, stretchBytes - 1, stretchBytes, 2 * stretchBytes + 5, file.length])(
    "a validated file is read unchanged from byte %i",
    async (offset) => {
      for (const chunk of [300_000, stretchBytes, file.length]) {
        const { bytes, error } = await read(file, offset, { chunk });
        expect(error).toBeUndefined();
        expect(bytes.equals(file.subarray(offset))).toBe(true);
      }
    },
  );

  test("a file is read no further than to the stretch that was altered", async () => {
    const { bytes, error } = await read(altered(stretchBytes + 100), 10);
    expect(error).toEqual(changed);
    expect(bytes.equals(file.subarray(10, stretchBytes))).toBe(true);
  });

  test("a file is not read when the cursor's stretch was altered before the cursor", async () => {
    const { bytes, error } = await read(altered(stretchBytes + 100), stretchBytes + 500);
    expect([bytes.length, error]).toEqual([0, changed]);
  });

  test.each([
    ["shorter by a stretch", file.subarray(0, 2 * stretchBytes)],
    ["shorter by a byte", file.subarray(0, -1)],
    ["longer", Buffer.concat([file, Buffer.from(" ")])],
    ["longer by stretches", Buffer.concat([file, file])],
  ])("a file is found to have changed when it is %s", async (_, bytes) => {
    expect((await read(bytes, 0)).error).toEqual(changed);
  });

  test("the file of a meanwhile pruned task is not read", async () => {
    const { bytes, error } = await read(file, 3, { stretchHashes: null });
    expect([bytes.length, error]).toEqual([0, changed]);
  });
});
