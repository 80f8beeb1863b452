import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { Readable } from "node:stream";
import { type S3Options, settings } from "../../settings/settings.ts";
import type { Queries } from "../../storage/database.ts";
import { DiskFull } from "../../storage/engines/disk-space.ts";
import { MoveRefused, type Side } from "../../storage/move/refused.ts";
import {
  type PinnedFile,
  pinTaskFiles,
  pinTaskPictures,
  taskFiles,
  taskPictures,
} from "../../storage/move/task-files.ts";
import { openDataFolder } from "../../system/folders.ts";
import { errorMessage } from "../../system/thrown.ts";
import { FileCopier } from "../../uploads/copy-files.ts";
import { openFileStore, readFileStore } from "../../uploads/file-store.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import { uploadsFolder } from "../../uploads/open.ts";
import { openS3Store, s3Bucket } from "../../uploads/s3-store.ts";
import { withFolder } from "../start-errors.ts";
import type { MoveOptions } from "./cargo.ts";
import { isSameFolder, withTargetOptions } from "./ends.ts";
import { pinnedToCopies } from "./pinned-tasks.ts";

/** Where one end keeps its uploads: an S3 bucket or the data folder. */
type UploadLocation =
  | { readonly s3: S3Options; readonly dataDir?: undefined }
  | { readonly s3?: undefined; readonly dataDir: string };

type SourceStore = Pick<ObjectStore, "list" | "read" | "stat">;

export interface MovedUploads extends Pick<FileCopier, "copied"> {
  /** Copies the files added since the last call. @throws MoveRefused */
  copyNew(): Promise<void>;
  /**
   * Pins the target's tasks to the copies, whose ETags differ. A file that changed after its task was created still
   * counts as changed.
   */
  pinTasks(target: Queries): Promise<void>;
}

/**
 * Opens the stores to copy uploads between: all uploads, or one tenant's. Returns undefined if they stay where they
 * are.
 * @throws MoveRefused, CannotStart
 */
export async function openMovedUploads(
  options: MoveOptions,
  tenantId: string | undefined,
): Promise<MovedUploads | undefined> {
  const route = routeOf(options);
  if (route === undefined) return undefined;
  const source = await sourceStore(route.from);
  const target = await targetStore(route.to, options.to.diskReserve ?? settings.diskReserve.default);
  if (await isOneStore(source, target).catch((error) => Promise.reject(failureOf(route, error))))
    return undefined;
  const prefix = tenantId === undefined ? "" : `${tenantId}/`;
  const copier = new FileCopier({ source, target, prefix, onFile: options.onFiles ?? (() => {}) });
  const explained = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw failureOf(route, error);
    }
  };
  return {
    copied: copier.copied,
    copyNew: () => explained(() => copier.copyNew()),
    pinTasks: async (queries) => {
      const toCopies = <File extends PinnedFile>(pins: readonly File[]) =>
        explained(() => pinnedToCopies(pins, source, target));
      for await (const tasks of taskFiles(queries, tenantId))
        await pinTaskFiles(queries, await toCopies(tasks));
      for await (const pictures of taskPictures(queries, tenantId))
        await pinTaskPictures(queries, await toCopies(pictures));
    },
  };
}

/** The source and target of uploads; undefined if there are none, or both ends share a store. */
function routeOf({ from, to }: MoveOptions): { from: UploadLocation; to: UploadLocation } | undefined {
  const source = locationOf(from);
  const target =
    from.s3 !== undefined && !to.uploadsToFolder && to.s3 === undefined ? undefined : locationOf(to);
  if (source === undefined || target === undefined || isSame(source, target)) return undefined;
  if (source.dataDir !== undefined && !existsSync(source.dataDir)) return undefined;
  return { from: source, to: target };
}

function locationOf({ s3, dataDir }: { s3?: S3Options | undefined; dataDir?: string | undefined }) {
  if (s3 !== undefined) return { s3 };
  return dataDir === undefined ? undefined : { dataDir };
}

function isSame(one: UploadLocation, other: UploadLocation): boolean {
  if (one.s3 === undefined || other.s3 === undefined) return isSameFolder(one, other);
  return one.s3.bucket === other.s3.bucket && one.s3.endpoint === other.s3.endpoint;
}

/** True when both are the same store under different names, such as two endpoints of one bucket. */
async function isOneStore(source: SourceStore, target: ObjectStore): Promise<boolean> {
  const key = `move/${randomUUID()}`;
  await target.put(key, Readable.from([Buffer.from("?")]), { maxBytes: 1 });
  try {
    return (await source.stat(key)) !== undefined;
  } finally {
    await target.delete(key);
  }
}

const nameOf = (location: UploadLocation) =>
  location.s3 === undefined
    ? `the folder ${uploadsFolder(location.dataDir)}`
    : `the bucket ${location.s3.bucket}`;

async function sourceStore(location: UploadLocation): Promise<SourceStore> {
  return location.s3 === undefined
    ? readFileStore(uploadsFolder(location.dataDir))
    : openBucket("source", location.s3, "LADING_S3_…");
}

async function targetStore(location: UploadLocation, reserve: number): Promise<ObjectStore> {
  if (location.s3 !== undefined) return openBucket("target", location.s3, "LADING_TO_S3_…");
  const { dataDir } = location;
  const opened = withFolder(dataDir, () => {
    openDataFolder(dataDir);
    return openFileStore(uploadsFolder(dataDir), reserve);
  });
  return opened.catch((error: Error) => {
    throw new MoveRefused(withTargetOptions(error.message), { cause: error });
  });
}

async function openBucket(side: Side, s3: S3Options, itsSettings: string): Promise<ObjectStore> {
  try {
    return await openS3Store(s3Bucket(s3));
  } catch (error) {
    throw new MoveRefused(
      `The uploads of the ${side} cannot be reached: ${errorMessage(error)}. Their settings are ${itsSettings}`,
      { cause: error },
    );
  }
}

function failureOf({ from, to }: { from: UploadLocation; to: UploadLocation }, error: unknown): MoveRefused {
  const reason =
    error instanceof DiskFull ? "the disk there is full, make space" : errorMessage(error).replace(/\.$/, "");
  return new MoveRefused(
    `The uploads in ${nameOf(from)} cannot be copied to ${nameOf(to)}: ${reason}. Nothing was moved: the target has none ` +
      "of its rows. Copied files stay; run the command again.",
    { cause: error },
  );
}
