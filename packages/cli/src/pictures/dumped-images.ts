import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { createInterface } from "node:readline";
import { misuseOfPicturePath, mostPictures } from "@lading/schema/internal";
import { SeenKeys } from "@lading/schema/internal/seen-keys";
import { errorMessage } from "@lading/service/thrown";
import { type Context, count, counted, line, note } from "../context.ts";
import { CliError, exitCode } from "../exit.ts";
import { makeFolder, ownerOnly, writeWhole } from "../files/write-whole.ts";
import { download, type Endpoint } from "../service/graphql.ts";

/** Where the images of a dump are written. */
export interface ImageFolder {
  readonly folder: string;
  /** The path of the folder in the file, such as `./images`. */
  readonly path: string;
  /** The part of the images' keys that all have, once one is known. */
  prefix?: string;
}

/** @throws CliError when no file in the folder can be named by a path in the operation file */
export function imageFolder(file: string | undefined, folder: string): ImageFolder {
  if (file === undefined) throw new CliError("--images needs a file to write: the images are next to it");
  const path = `./${relative(dirname(resolve(file)), resolve(folder))
    .split(sep)
    .join("/")}`;
  const misuse = misuseOfPicturePath(path);
  if (misuse === undefined && !/["{}\s]/.test(path)) return { folder, path };
  throw new CliError(
    `the file cannot name images in ${folder}: it must be a folder within ${dirname(file)}, where the file is, ` +
      "and its name without special characters",
  );
}

/** A template that names an image, as the JSON of a dump has it: its address or path, and its digest. */
const template = /"\{\{ upload \\"([^"\\]*)\\"(?: sha256=\\"([0-9a-f]{64})\\")? \}\}"/g;

/** The end of an image's address: its key. */
const addressOfKey = /\/images\/([A-Za-z0-9-]+\/media\/)([0-9a-f]{32}\/[A-Za-z0-9_-][A-Za-z0-9._-]*)$/;

/** Replaces the addresses of images by their paths. The folder gets the prefix of their keys. */
export async function* withPaths(text: AsyncIterable<string>, folder: ImageFolder): AsyncGenerator<string> {
  for await (const piece of text)
    yield piece.replace(template, (_, url: string, sha256: string | undefined) => {
      const [, prefix, rest] = addressOfKey.exec(url) ?? [];
      if (prefix === undefined || prefix !== (folder.prefix ?? prefix))
        throw new CliError(`the dump names an image at ${url}, which is not an address of the service`);
      folder.prefix = prefix;
      const digest = sha256 === undefined ? "" : ` sha256=\\"${sha256}\\"`;
      return `"{{ upload \\"${folder.path}/${rest}\\"${digest} }}"`;
    });
}

/** An image that cannot be read, or is not what the dump names. */
class UnreadImage extends CliError {}

/** Downloads at a time. */
const atOnce = 8;

/** Failures that are printed; further ones are counted. */
const mostFailures = 100;

/**
 * Writes the images that a dump names, several at a time; those that are there already stay. Prints those that cannot
 * be read, and sets the exit code.
 * @throws CliError when one cannot be written
 */
export async function writeImages(
  context: Context,
  endpoint: Endpoint,
  file: string,
  folder: ImageFolder,
): Promise<{ written: number; unread: number }> {
  const counts = { written: 0, unread: 0 };
  const images = namedIn(file, folder);
  const write = async () => {
    for (let next = await images.next(); !next.done; next = await images.next())
      try {
        await writeImage(context, endpoint, folder, next.value);
        counts.written++;
      } catch (error) {
        if (context.interrupted.aborted || !(error instanceof UnreadImage)) throw error;
        if (counts.unread++ < mostFailures)
          line(context.stderr, `not written: ${folder.path}/${next.value.name}: ${errorMessage(error)}`);
      }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, write));
  } finally {
    await images.return(undefined);
  }
  const named = counts.written + counts.unread;
  if (named > mostPictures)
    line(
      context.stderr,
      `The file names ${count(named)} pictures, and one that is run may name ${count(mostPictures)}: without --images, ` +
        "the images are fetched when it is run.",
    );
  if (counts.unread === 0) return counts;
  context.exitCode = exitCode.operationsFailed;
  if (counts.unread > mostFailures) note(context, `${counted(counts.unread - mostFailures, "more image")}`);
  line(context.stderr, `${counted(counts.unread, "image")} could not be read; the file names them.`);
  return counts;
}

interface NamedImage {
  /** In the folder, with slashes: the end of its key. */
  readonly name: string;
  readonly sha256: string | undefined;
}

/** Reads the images that a dump names, each once. */
async function* namedIn(file: string, { path }: ImageFolder): AsyncGenerator<NamedImage> {
  const seen = new SeenKeys();
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const text of lines)
    for (const [, named = "", sha256] of text.matchAll(template)) {
      const name = named.slice(path.length + 1);
      if (named.startsWith(`${path}/`) && seen.add(name, 1) === undefined) yield { name, sha256 };
    }
}

/** @throws UnreadImage, and CliError when it cannot be written */
async function writeImage(
  { interrupted }: Context,
  endpoint: Endpoint,
  { folder, prefix }: ImageFolder,
  { name, sha256 }: NamedImage,
): Promise<void> {
  const file = join(folder, ...name.split("/"));
  if (sha256 !== undefined && (await digestOf(file)) === sha256) return;
  await makeFolder(dirname(file));
  const hash = createHash("sha256");
  async function* content() {
    const images = { ...endpoint, path: "/images/", headers: {}, interrupted };
    try {
      for await (const chunk of download(images, `${prefix}${name}`)) {
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof CliError ? new UnreadImage(error.lines, error.exitCode) : error;
    }
    const read = hash.digest("hex");
    if (sha256 !== undefined && read !== sha256)
      throw new UnreadImage(`its SHA-256 is ${read}, not ${sha256} as in the dump`);
  }
  await writeWhole(file, content(), ownerOnly);
}

/** The SHA-256 of a file; undefined if it cannot be read. */
async function digestOf(file: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch {
    return undefined;
  }
  return hash.digest("hex");
}
