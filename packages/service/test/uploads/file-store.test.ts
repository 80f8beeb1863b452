import { execFileSync } from "node:child_process";
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openFileStore, readFileStore } from "../../src/uploads/file-store.ts";
import type { ObjectStore } from "../../src/uploads/object-store.ts";
import { bodyOf, refusal, testObjectStore, textOf } from "./support/object-store-suite.ts";

const roomy = { maxBytes: 1_000_000 };
let root: string;
let folders = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "lading-file-store-"));
});
afterAll(() => rm(root, { recursive: true }));

const newFolder = () => join(root, String(folders++));

describe("a file store as an object store:", () => {
  testObjectStore(() => openFileStore(newFolder()));
});

describe("a file store", () => {
  const key = "tenant/mass-operations/shop.json";
  let folder: string;
  let path: string;
  let store: ObjectStore;
  beforeEach(async () => {
    folder = newFolder();
    path = join(folder, "objects", "tenant~mass-operations~shop.json");
    store = await openFileStore(folder);
  });

  const incoming = () => readdir(join(folder, "incoming"));

  test.each([
    ["failed", () => store.put(key, bodyOf("half", new Error("gone")), roomy)],
    ["was too large", () => store.put(key, bodyOf("123456"), { maxBytes: 5 })],
    ["was too small", () => store.put(key, bodyOf("1"), { minBytes: 2, maxBytes: 5 })],
  ])("a file store leaves no file behind when a body %s", async (_what, put) => {
    await expect(put()).rejects.toThrow();
    expect(await incoming()).toEqual([]);
    expect(await readdir(join(folder, "objects"))).toEqual([]);
  });

  test("a file store leaves no file behind when another writer was first", async () => {
    async function* overtaken() {
      yield Buffer.from("slow");
      await store.put(key, bodyOf("fast"), roomy);
    }
    await expect(store.put(key, overtaken(), roomy)).rejects.toEqual(refusal("ObjectExists"));
    expect(await incoming()).toEqual([]);
    expect(await textOf(store.read(key))).toBe("fast");
  });

  test("a file store does not ask for the body when the key is taken", async () => {
    await store.put(key, bodyOf("first"), roomy);
    const body = bodyOf(new Error("nobody may ask for this"));
    await expect(store.put(key, body, roomy)).rejects.toEqual(refusal("ObjectExists"));
  });

  test("a file store keeps an object as a plain file that only its owner reads", async () => {
    await store.put(key, bodyOf('{"version":', '"1.0.0"}'), roomy);
    expect(await readFile(path, "utf8")).toBe('{"version":"1.0.0"}');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await incoming()).toEqual([]);
  });

  test("a file store has its objects, with their etags, after it was opened again", async () => {
    const stored = await store.put(key, bodyOf("text"), roomy);
    const again = await openFileStore(folder);
    expect(await again.stat(key)).toEqual(stored);
    expect(await textOf(again.read(key, { etag: stored.etag }))).toBe("text");
  });

  test("a file store removes what a crashed writer left, and nothing that may still be written", async () => {
    const old = new Date(Date.now() - 11 * 60_000);
    await writeFile(join(folder, "incoming", "abandoned"), "half");
    await utimes(join(folder, "incoming", "abandoned"), old, old);
    await writeFile(join(folder, "incoming", "growing"), "half");
    await openFileStore(folder);
    expect(await incoming()).toEqual(["growing"]);
  });

  test("links, pipes and folders in place of objects are skipped", async () => {
    const objects = join(folder, "objects");
    const outside = join(folder, "outside.png");
    await writeFile(outside, "of somebody else");
    await mkdir(join(folder, "elsewhere"));
    await writeFile(join(folder, "elsewhere", "x.png"), "of somebody else");
    await symlink(outside, join(objects, "tenant~link.png"));
    await symlink(join(folder, "elsewhere"), join(objects, "tenant~linked-folder"));
    await mkdir(join(objects, "tenant~folder"));
    execFileSync("mkfifo", [join(objects, "tenant~pipe.png")]);
    await store.put(key, bodyOf("text"), roomy);
    const reader = readFileStore(folder);
    expect(await Array.fromAsync(reader.list(""))).toEqual([{ key, bytes: 4 }]);
    for (const name of ["link.png", "pipe.png", "folder", "linked-folder", "linked-folder/x.png"]) {
      expect([name, await reader.stat(`tenant/${name}`)]).toEqual([name, undefined]);
      await expect(textOf(reader.read(`tenant/${name}`))).rejects.toEqual(refusal("ObjectMissing"));
    }
  });

  test.each(["", "objects"])("a link in place of the folder is refused by name: %j", async (name) => {
    const other = newFolder();
    await mkdir(join(other, name, ".."), { recursive: true });
    await symlink(join(folder, name), join(other, name).replace(/\/$/, ""));
    expect(() => readFileStore(other)).toThrow(`${join(other, name).replace(/\/$/, "")} is a link`);
    if (name !== "")
      await expect(openFileStore(other)).rejects.toThrow("is a link, but the service only keeps its data in");
  });

  test("a link in place of the folder is refused before anything behind it changes", async () => {
    const [target, other] = [newFolder(), newFolder()];
    await mkdir(join(target, "incoming"), { recursive: true });
    await chmod(target, 0o755);
    const old = join(target, "incoming", "old");
    await writeFile(old, "of somebody else");
    await utimes(old, 1_000, 1_000);
    await symlink(target, other);
    await expect(openFileStore(other)).rejects.toThrow(`${other} is a link`);
    expect((await stat(target)).mode & 0o777).toBe(0o755);
    expect(await readdir(target, { recursive: true })).toEqual(["incoming", join("incoming", "old")]);
  });

  test("reading doesn't follow a link that replaced an object", async () => {
    await store.put(key, bodyOf("text"), roomy);
    const reader = store.read(key)[Symbol.asyncIterator]();
    await rm(path);
    await symlink("/etc/passwd", path);
    await expect(reader.next()).rejects.toEqual(refusal("ObjectMissing"));
  });

  describe("notices", () => {
    let etag: string;
    beforeEach(async () => {
      await store.put(key, bodyOf("x".repeat(900_000)), roomy);
      await utimes(path, 1_000, 1_000); // long ago, so that a write of this very moment differs
      etag = (await store.stat(key))!.etag;
    });

    const changes: [what: string, change: () => Promise<void>, name: "ObjectChanged" | "ObjectMissing"][] = [
      [
        "that a file was overwritten with as many bytes",
        () => writeFile(path, "y".repeat(900_000)),
        "ObjectChanged",
      ],
      ["that a file was cut", () => truncate(path, 5), "ObjectChanged"],
      ["that a file has grown", () => appendFile(path, "z"), "ObjectChanged"],
      ["that a file was replaced", () => replace(), "ObjectChanged"],
      ["that a file was removed", () => rm(path), "ObjectMissing"],
    ];

    async function replace() {
      await mkdir(join(folder, "other"), { recursive: true });
      await writeFile(join(folder, "other", "file"), "x".repeat(900_000));
      await rename(join(folder, "other", "file"), path);
    }

    test.each(changes)("a file store notices %s before it is read", async (_what, change, name) => {
      await change();
      await expect(textOf(store.read(key, { etag }))).rejects.toEqual(refusal(name));
    });

    test.each(changes)(
      "a file store notices %s before any other byte gets out",
      async (_what, change, name) => {
        const reader = store.read(key, { etag })[Symbol.asyncIterator]();
        expect((await reader.next()).value.every((byte: number) => byte === 120)).toBe(true);
        await change();
        await expect(reader.next()).rejects.toEqual(refusal(name));
      },
    );
  });
});
