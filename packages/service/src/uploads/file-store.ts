import { randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { constants, lstatSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { link, lstat, open, opendir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DiskFull, isNoSpace, isShort } from "../storage/engines/disk-space.ts";
import { ownFolder, refuseLinks } from "../system/folders.ts";
import { errorCode } from "../system/thrown.ts";
import { isSafeKey } from "./keys.ts";
import type { ListedObject, ObjectStore, ReadOptions, SizeLimits, StoredObject } from "./object-store.ts";
import { checkedKey, checkedPrefix, limitSize, storeErrors } from "./object-store.ts";

const { exists, missing, changed, beyond } = storeErrors;

const chunkBytes = 256 * 1024;

/** Longer than a live write can be silent, so that another process's files are kept. */
const abandonedAfterMs = 10 * 60_000;

interface Folders {
  /** Complete objects only, one file each. */
  objects: string;
  /** Incomplete objects. */
  incoming: string;
}

const foldersOf = (folder: string): Folders => ({
  objects: join(folder, "objects"),
  incoming: join(folder, "incoming"),
});

/**
 * Opens an object store that keeps its objects as files, each byte for byte what was uploaded, in
 * `<folder>/objects/<key with ~ for />`. Creates a missing folder and removes what crashed writers left. Refuses a new
 * object while fewer bytes than the reserve are free. The folder must be on a file system with hard links: creating one
 * lets exactly one of two writers win.
 * @throws FolderIsLink, and changes nothing, when it or one of the folders within is a link
 */
export async function openFileStore(folder: string, reserve = 0): Promise<ObjectStore> {
  const diskIsFull = () => isShort(folder, reserve);
  const folders = foldersOf(folder);
  const all = [folder, ...Object.values(folders)];
  refuseLinks(all);
  for (const path of all) ownFolder(path);
  await sweep(folders.incoming);
  return {
    ...readFileStore(folder),
    diskIsFull,
    put: (key, body, limits) => put(folders, key, whileThereIsSpace(body, diskIsFull), limits),
    delete: async (key) => rm(pathOf(folders, key), { force: true }),
    deleteAll: (prefix) => deleteAll(folders, prefix),
  };
}

/**
 * Reads the objects of a file store's folder, which may be missing, or belong to another process. Creates nothing. The
 * folder may come from elsewhere: only ordinary files in it are objects, and no link leads out of it.
 * @throws FolderIsLink when one of the folders is a link
 */
export function readFileStore(folder: string): Pick<ObjectStore, "stat" | "read" | "list"> {
  const folders = foldersOf(folder);
  refuseLinks([folder, folders.objects]);
  return {
    stat: async (key) => statFile(pathOf(folders, key)),
    read: (key, options) => read(folders, key, options),
    list: (prefix) => list(folders, prefix),
  };
}

async function* list({ objects }: Folders, prefix: string): AsyncGenerator<ListedObject> {
  if (lstatSync(objects, { throwIfNoEntry: false }) === undefined) return;
  for await (const { name } of await opendir(objects)) {
    const key = name.replaceAll("~", "/");
    if (!key.startsWith(prefix) || !isSafeKey(key)) continue;
    const file = await statFile(join(objects, name));
    if (file !== undefined) yield { key, bytes: file.bytes };
  }
}

/** Returns the path of an object. Keys have no `~`, so two keys never share a file, and no key names a folder. */
function pathOf(folders: Folders, key: string): string {
  return join(folders.objects, nameOf(checkedKey(key)));
}

const nameOf = (key: string) => key.replaceAll("/", "~");

async function deleteAll({ objects }: Folders, prefix: string): Promise<void> {
  const begin = nameOf(checkedPrefix(prefix));
  for (const name of await readdir(objects))
    if (name.startsWith(begin)) await rm(join(objects, name), { force: true });
}

async function put(
  folders: Folders,
  key: string,
  body: AsyncIterable<Uint8Array>,
  limits: SizeLimits,
): Promise<StoredObject> {
  const path = pathOf(folders, key);
  if (await statFile(path)) throw exists(key);
  const temporary = join(folders.incoming, randomUUID());
  try {
    await writeFile(temporary, limitSize(key, body, limits), { flag: "wx", mode: 0o600, flush: true });
    const stored = describe(await lstat(temporary, { bigint: true }));
    await link(temporary, path);
    await syncFolder(folders.objects);
    return stored;
  } catch (error) {
    if (isNoSpace(error)) throw new DiskFull({ cause: error });
    throw errorCode(error) === "EEXIST" ? exists(key) : error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Bytes written between two checks of the free space. */
const lookEvery = 4 * 1024 ** 2;

/** Passes a body on. @throws DiskFull when space runs short, before the first byte or later */
async function* whileThereIsSpace(
  body: AsyncIterable<Uint8Array>,
  diskIsFull: () => Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  let unseen = lookEvery;
  for await (const chunk of body) {
    unseen += chunk.length;
    if (unseen >= lookEvery) {
      if (await diskIsFull()) throw new DiskFull();
      unseen = 0;
    }
    yield chunk;
  }
}

/** Reads an object. Checks each chunk before passing it on, so that no byte of another version gets out. */
async function* read(folders: Folders, key: string, options: ReadOptions = {}): AsyncGenerator<Uint8Array> {
  const path = pathOf(folders, key);
  const pinned = await expectVersion(path, key, options.etag);
  let position = options.start ?? 0;
  if (position > pinned.bytes) throw beyond(key, position, pinned.bytes);
  const end = Math.min(options.end ?? pinned.bytes, pinned.bytes);
  await using file = await openFile(path, key);
  while (position < end) {
    const length = Math.min(chunkBytes, end - position);
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
    await expectVersion(path, key, pinned.etag);
    if (bytesRead === 0) throw changed(key);
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function expectVersion(path: string, key: string, etag: string | undefined): Promise<StoredObject> {
  const file = await statFile(path);
  if (!file) throw missing(key);
  if (etag !== undefined && file.etag !== etag) throw changed(key);
  return file;
}

/**
 * Makes the etag from the size and modification time. Any write or replacement changes them, a backup restored with its
 * times keeps them, and no file has to be hashed.
 */
function describe({ size, mtimeNs }: BigIntStats): StoredObject {
  return { bytes: Number(size), etag: `${size.toString(16)}-${mtimeNs.toString(16)}` };
}

/** Undefined if there is no ordinary file. */
async function statFile(path: string): Promise<StoredObject | undefined> {
  try {
    const found = await lstat(path, { bigint: true });
    return found.isFile() ? describe(found) : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Follows no link and blocks on no pipe, should one replace the file. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function openFile(path: string, key: string): Promise<FileHandle> {
  try {
    return await open(path, openFlags);
  } catch (error) {
    throw ["ENOENT", "ELOOP"].includes(errorCode(error)) ? missing(key) : error;
  }
}

/** Makes a new name durable; the file's own fsync covers its content, not its entry in the folder. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

async function sweep(incoming: string): Promise<void> {
  const abandoned = Date.now() - abandonedAfterMs;
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const file = await lstat(path).catch(() => undefined);
    if (file && file.mtimeMs < abandoned) await rm(path, { force: true });
  }
}
