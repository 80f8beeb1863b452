import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { mostPictures, type PictureCheck } from "@lading/schema/internal";
import { readImageHeader } from "@lading/service/image-header";
import { headerBytes, imageTypeNames } from "@lading/service/image-types";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { count } from "../context.ts";

/** A picture of a file: the path in the file, and where it is. */
export interface LocalPicture {
  readonly path: string;
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  /** Once it was needed. */
  sha256?: string;
}

/** Finds the pictures that a file names by paths, in its folder, each one time. */
export class LocalPictures implements PictureCheck {
  readonly severity = "error";
  readonly #folder: string;
  readonly #seen = new Map<string, LocalPicture | string>();

  /** @param file the operation file; `-` is in the current folder */
  constructor(file: string) {
    this.#folder = dirname(file);
  }

  /** The pictures that were found. */
  get found(): LocalPicture[] {
    return [...this.#seen.values()].filter((each) => typeof each !== "string");
  }

  problemOf(path: string, sha256?: string): string | undefined {
    const before = this.#seen.get(path);
    if (before === undefined && this.#seen.size >= mostPictures)
      return `a file may name ${count(mostPictures)} pictures; split it`;
    const seen = before ?? pictureAt(this.#folder, path);
    this.#seen.set(path, seen);
    if (typeof seen === "string") return seen;
    if (sha256 === undefined || digestOf(seen) === sha256) return undefined;
    return `the SHA-256 of the picture ${JSON.stringify(path)} is ${seen.sha256}, not ${sha256} as its template says`;
  }
}

/** The pictures of a file that follows a plan: those of the plan, whatever is in its folder. */
export const picturesOfPlan: PictureCheck = { severity: "warning", problemOf: () => undefined };

/** Looks at a picture in a folder; says what is wrong with it. */
export function pictureAt(folder: string, path: string): LocalPicture | string {
  const picture = `the picture ${JSON.stringify(path)}`;
  try {
    const file = realpathSync.native(join(folder, path));
    if (!isWithin(realpathSync.native(folder), file))
      return `${picture} is a link that leads out of the folder of the file`;
    const status = statSync(file);
    if (status.isDirectory()) return `${picture} is a folder`;
    if (!status.isFile()) return `${picture} is not a file`;
    const { size } = status;
    if (size === 0) return `${picture} is empty`;
    if (readImageHeader(startOf(file)) === undefined)
      return `${picture} is not an image: ${imageTypeNames} are supported`;
    return { path, file, size };
  } catch (error) {
    const code = errorCode(error);
    if (code === "") throw error;
    if (code === "ENOENT" || code === "ENOTDIR")
      return `there is no file ${join(folder, path)} for ${picture}`;
    if (code === "ELOOP") return `${picture} is a link that leads to itself`;
    return `${picture} cannot be read: ${errorMessage(error)}`;
  }
}

/** The digest of a picture, which is read for that. */
function digestOf(picture: LocalPicture): string {
  if (picture.sha256 !== undefined) return picture.sha256;
  const hash = createHash("sha256");
  const handle = openSync(picture.file, "r");
  try {
    for (let read = -1; read !== 0; hash.update(buffer.subarray(0, read)))
      read = readSync(handle, buffer, 0, headerBytes, null);
  } finally {
    closeSync(handle);
  }
  picture.sha256 = hash.digest("hex");
  return picture.sha256;
}

/** True for a path in a folder; both are real paths. */
export function isWithin(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Shared by all files: a buffer for each would be slow. */
const buffer = Buffer.allocUnsafe(headerBytes);

/** The bytes at the start of a file that say which image it is. Valid until the next file is read. */
function startOf(file: string): Buffer {
  const handle = openSync(file, "r");
  try {
    return buffer.subarray(0, readSync(handle, buffer, 0, headerBytes, 0));
  } finally {
    closeSync(handle);
  }
}
