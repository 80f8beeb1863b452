import { randomBytes } from "node:crypto";

/** The types of upload, by their name in the API, with the folders of their keys. */
export const uploadFolders = {
  MASS_OPERATIONS: "mass-operations",
  MEDIA: "media",
  STATIC: "static",
} as const;

export type UploadType = keyof typeof uploadFolders;

const longestKey = 240;
const longestFilename = 100;
const safeKey = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/**
 * Makes the storage key of one upload: `<tenantId>/<folder of the type>/<32 random hex digits>/<safe filename>`.
 * The random part makes it unguessable and new each time.
 */
export function newUploadKey(tenantId: string, filename: string, type: UploadType): string {
  return `${tenantId}/${uploadFolders[type]}/${randomBytes(16).toString("hex")}/${safeFilename(filename)}`;
}

/**
 * Makes the key of a file that the service itself fetches for a tenant's media store: like `newUploadKey`, with a part
 * of the content's SHA-256 (hexadecimal) in place of the random digits. Storing it again changes nothing.
 */
export function contentKey(tenantId: string, sha256: string, filename: string): string {
  return `${tenantId}/${uploadFolders.MEDIA}/${sha256.slice(0, 32)}/${safeFilename(filename)}`;
}

/** True for a key that `contentKey`, and not `newUploadKey`, made for content with this SHA-256. */
export const isContentKey = (key: string, sha256: string): boolean =>
  key.split("/")[2] === sha256.slice(0, 32);

export const mediaKeyPrefix = (tenantId: string): string => `${tenantId}/${uploadFolders.MEDIA}/`;

/** The regular expression, also valid in PostgreSQL, of the keys in a tenant's media store. */
export const mediaKeyPattern = (tenantId: string): string =>
  `${mediaKeyPrefix(tenantId)}[0-9a-f]{32}/[A-Za-z0-9._-]+`;

/**
 * The placeholder in a plan for the key of an image that is not fetched; `sha256` (hexadecimal) is that of its URL. No
 * file is stored under such a key.
 */
export const unknownKey = (tenantId: string, sha256: string): string =>
  `${tenantId}/unknown-until-applied/${sha256.slice(0, 32)}`;

export const isUnknownKey = (key: string): boolean => /^[^/]+\/unknown-until-applied\//.test(key);

export const hasUnknownKey = (text: string): boolean => text.includes("/unknown-until-applied/");

/** The widths of thumbnails, in pixels. */
export const thumbnailWidths = [80, 240, 640] as const;

export type ThumbnailWidth = (typeof thumbnailWidths)[number];

const thumbnails = "thumbnails";

/** The key under which the thumbnail of an image is stored. No upload has such a key. */
export const thumbnailKey = (imageKey: string, width: ThumbnailWidth): string =>
  `${imageKey.replace(`/${uploadFolders.MEDIA}/`, `/${thumbnails}/`)}/${width}.webp`;

/** The path at which a thumbnail of an image is served. */
export const thumbnailPath = (tenantIdentifier: string, width: ThumbnailWidth, imageKey: string): string =>
  `/@${tenantIdentifier}/${thumbnails}/${width}/${imageKey}`;

export const isThumbnailKey = (key: string): boolean => key.split("/")[1] === thumbnails;

/** Returns the id of the tenant a key belongs to: its first part. */
export const tenantOfKey = (key: string): string => key.replace(/\/.*/s, "");

/** True for a key that `newUploadKey` makes for this tenant and type, so that no tenant reads another's. */
export function isUploadKey(key: string, tenantId: string, type: UploadType): boolean {
  const prefix = `${tenantId}/${uploadFolders[type]}/`;
  return key.startsWith(prefix) && /^[0-9a-f]{32}\/[^/]+$/.test(key.slice(prefix.length)) && isSafeKey(key);
}

/**
 * Reduces any filename to letters, digits, dots, dashes and underscores: without folders or leading dots, the last 100
 * characters, so that the extension stays. Never empty: falls back to `file`.
 */
export function safeFilename(filename: string): string {
  const name = filename.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1);
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, "-").slice(-longestFilename);
  return plain.replace(/^[.-]+/, "") || "file";
}

/**
 * True for a key that stores accept: segments of letters, digits, `.`, `_` and `-`, none empty or beginning with a dot,
 * joined by `/`, 240 characters at most. So no key can leave its folder or be read in two ways.
 */
export function isSafeKey(key: string): boolean {
  return key.length <= longestKey && safeKey.test(key);
}
