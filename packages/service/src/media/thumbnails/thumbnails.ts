import { Readable } from "node:stream";
import type { Logger } from "pino";
import type { ImageRow } from "../../storage/collections/images.ts";
import { fairQueue } from "../../system/fair-queue.ts";
import { errorMessage } from "../../system/thrown.ts";
import { type ThumbnailWidth, tenantOfKey, thumbnailKey } from "../../uploads/keys.ts";
import { type ObjectStore, ObjectStoreError } from "../../uploads/object-store.ts";
import { imageTypes } from "../image-types.ts";
import { thumbnailLimits } from "./limits.ts";
import { type Makers, thumbnailMakers } from "./makers.ts";

export interface WantedThumbnail {
  readonly image: ImageRow;
  readonly width: ThumbnailWidth;
  /** True while the client waits. */
  readonly isAwaited: () => boolean;
  /** True while the image is registered: the thumbnail of another is not kept. */
  readonly isRegistered: () => Promise<boolean>;
}

export interface Thumbnails {
  /**
   * The thumbnail of a registered image, in WebP; made and stored if it is not yet there. Undefined for an image of
   * which none can be made, and when too many of the tenant wait. Throws the errors of the object store.
   */
  get(wanted: WantedThumbnail): Promise<Buffer | undefined>;
  close(): void;
}

export function openThumbnails(
  store: ObjectStore,
  logger: Logger,
  makers: Makers = thumbnailMakers(),
): Thumbnails {
  const queue = fairQueue({ ...thumbnailLimits, longestPause: 0 });
  const without = new Set<string>();
  const remember = ({ key, width, height, size }: ImageRow) => {
    logger.info({ key, width, height, size }, "no thumbnail could be made of an image");
    without.add(key);
    const [oldest] = without;
    if (without.size > thumbnailLimits.remembered && oldest !== undefined) without.delete(oldest);
  };
  const make = async ({ image, width, isAwaited, isRegistered }: WantedThumbnail) => {
    if (!isAwaited() || without.has(image.key) || !makers.isAvailable()) return undefined;
    const file = await store.stat(image.key);
    if (file === undefined || file.bytes > thumbnailLimits.imageBytes) return undefined;
    const content = store.read(image.key, { etag: file.etag });
    const answer = await makers.make({ width, length: file.bytes, image: content }).catch(undefinedIfGone);
    if (!makers.isAvailable()) logger.warn("no thumbnails are made: the package sharp cannot be loaded");
    if (answer === undefined) return undefined;
    const { thumbnail } = answer;
    if (thumbnail === undefined) {
      remember(image);
      return undefined;
    }
    const key = thumbnailKey(image.key, width);
    await putOnce(store, key, thumbnail).catch((error) =>
      logger.warn({ key, reason: errorMessage(error) }, "a thumbnail could not be stored"),
    );
    // Its files may have been deleted meanwhile, and another stored under its key.
    const isSame = async () => (await store.stat(image.key))?.etag === file.etag;
    if ((await isSame()) && (await isRegistered())) return thumbnail;
    await store.delete(key);
    return undefined;
  };
  return {
    close: makers.close,
    async get(wanted) {
      const { image, width } = wanted;
      if (!mayHaveOne(image)) return undefined;
      const stored = () => readStored(store, thumbnailKey(image.key, width));
      const known = await stored();
      const tenant = tenantOfKey(image.key);
      if (known || without.has(image.key) || !makers.isAvailable() || queue.isFull(tenant)) return known;
      return queue.run(tenant, async () => (await stored()) ?? make(wanted));
    },
  };
}

/** A drawing is a program: none is decoded. */
function mayHaveOne({ mimeType, width, height, size }: ImageRow): boolean {
  if (mimeType === imageTypes.svg.mimeType || width === null || height === null) return false;
  return width * height <= thumbnailLimits.pixels && size <= thumbnailLimits.imageBytes;
}

const readStored = (store: ObjectStore, key: string): Promise<Buffer | undefined> =>
  Array.fromAsync(store.read(key)).then((chunks) => Buffer.concat(chunks), undefinedIfGone);

/** An image may be deleted, and stored again, while it is read. */
function undefinedIfGone(error: unknown): undefined {
  const isGone = error instanceof ObjectStoreError && /^Object(?:Missing|Changed)$/.test(error.name);
  if (!isGone) throw error;
}

/** Another process may have stored it meanwhile. */
async function putOnce(store: ObjectStore, key: string, content: Buffer): Promise<void> {
  try {
    await store.put(key, Readable.from([content]), { maxBytes: content.length });
  } catch (error) {
    if (!(error instanceof ObjectStoreError && error.name === "ObjectExists")) throw error;
  }
}
