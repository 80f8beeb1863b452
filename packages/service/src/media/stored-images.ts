import { reject } from "../errors.ts";
import type { ImageFacts } from "../storage/collections/images.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import { isUploadKey, mediaKeyPattern, thumbnailKey, thumbnailWidths } from "../uploads/keys.ts";
import { type ObjectStore, sha256Of } from "../uploads/object-store.ts";
import { fetchLimits } from "./fetch/limits.ts";
import { type ImageHeader, readImageHeader } from "./image-header.ts";
import { headerBytes, imageTypeNames, imageTypes } from "./image-types.ts";

/** The media store of a tenant, as commands see it. */
export interface Media {
  /**
   * Reads the facts of the image stored under a key. Rejects with `UploadNotFoundError` if there is none, and with
   * `ValidationError` if it is not an image.
   */
  image(key: string): Promise<ImageFacts>;
  /** The size of the file stored under a key; undefined if there is none. */
  bytes(key: string): Promise<number | undefined>;
}

/** Longer than any real key. */
const longestShownKey = 300;

export function storedImages(store: ObjectStore, tenantId: string): Media {
  return {
    bytes: async (key) => (isUploadKey(key, tenantId, "MEDIA") ? (await store.stat(key))?.bytes : undefined),
    image: async (key) => {
      const file = isUploadKey(key, tenantId, "MEDIA") ? await store.stat(key) : undefined;
      if (file === undefined)
        reject(
          "UploadNotFoundError",
          `Nothing was uploaded under the key "${key.slice(0, longestShownKey)}" with the type MEDIA`,
          ["key"],
        );
      const header = await headerOf(store, key, file.etag);
      if (header === undefined)
        reject(
          "ValidationError",
          `The file stored under "${key}" is not an image: ${imageTypeNames} are supported`,
          ["key"],
        );
      const { type, width, height } = header;
      // An operation could not upload a larger one.
      const sha256 = file.bytes <= fetchLimits.bytes ? await sha256Of(store, key, file.etag) : null;
      return { key, mimeType: imageTypes[type].mimeType, width, height, size: file.bytes, sha256 };
    },
  };
}

/** Deletes the file of an image, if it exists, with its thumbnails. */
export async function deleteImageFile(store: ObjectStore, key: string): Promise<void> {
  const thumbnails = thumbnailWidths.map((width) => thumbnailKey(key, width));
  await Promise.all([key, ...thumbnails].map((each) => store.delete(each)));
}

/** Files of each store known not to be images, by key and etag, so that they are not reread. */
const otherFiles = new WeakMap<ObjectStore, Set<string>>();
const mostOtherFiles = 1_000;

/** The header of a stored image; undefined for other files. */
async function headerOf(store: ObjectStore, key: string, etag: string): Promise<ImageHeader | undefined> {
  const others = otherFiles.get(store) ?? new Set();
  otherFiles.set(store, others);
  const version = `${key} ${etag}`;
  if (others.has(version)) return undefined;
  const header = readImageHeader(await firstBytes(store.read(key, { etag })));
  if (header !== undefined) return header;
  others.add(version);
  const [oldest] = others;
  if (others.size > mostOtherFiles && oldest !== undefined) others.delete(oldest);
  return undefined;
}

async function firstBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= headerBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, headerBytes);
}

/**
 * Makes a unit of work keep released images of its tenant that rows refer to again; `tenant` is as read in its
 * transaction.
 */
export function keepNamedImages(unit: UnitOfWork, tenant: Tenant): void {
  if (tenant.hasReleasedImages) unit.keepImages(new RegExp(mediaKeyPattern(tenant.id), "g"));
}
