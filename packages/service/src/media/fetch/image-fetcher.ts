import { settings } from "../../settings/settings.ts";
import type { ImageFacts } from "../../storage/collections/images.ts";
import { guardedConnections, type Resolve } from "../../system/outbound/connections.ts";
import { allowedHosts } from "../../system/outbound/target.ts";
import { contentKey } from "../../uploads/keys.ts";
import { type ObjectStore, ObjectStoreError } from "../../uploads/object-store.ts";
import { readImageHeader } from "../image-header.ts";
import { type ImageType, imageTypeNames, imageTypes } from "../image-types.ts";
import type { Body } from "./body.ts";
import { ImageFetchFailure } from "./fetch-failure.ts";
import { fetchFile } from "./fetch-file.ts";
import { type FetchLimits, fetchLimits } from "./limits.ts";

export interface ImageFetcherOptions {
  store: ObjectStore;
  /** Hosts that may be fetched from although their addresses are not public. */
  allowedHosts: readonly string[];
  /** Allowed ports of public hosts other than 80 and 443. */
  outboundPorts?: readonly number[] | undefined;
  /** Concurrent fetches per task. */
  concurrency: number;
  limits?: Partial<FetchLimits>;
  /** Default: the system's. */
  resolve?: Resolve;
}

export interface ImageFetcher {
  /** Concurrent fetches per task. */
  readonly concurrency: number;
  /**
   * Fetches the image at a URL and stores it under a key derived from its content, after calling `storing` with its
   * facts; not if that throws.
   * @throws ImageFetchFailure; what the object store or `storing` throws; the signal's reason when aborted
   */
  fetch(
    url: string,
    tenantId: string,
    signal: AbortSignal,
    storing?: (image: ImageFacts) => Promise<void>,
  ): Promise<ImageFacts>;
  /** Closes the idle connections. */
  close(): void;
}

export function openImageFetcher(options: ImageFetcherOptions): ImageFetcher {
  const { store, concurrency, resolve } = options;
  const allowed = allowedHosts(options.allowedHosts, settings.imageHosts.variable, options.outboundPorts);
  const connections = guardedConnections({ allowed, perHost: concurrency, resolve });
  const limits = { ...fetchLimits, ...options.limits };
  return {
    concurrency,
    close: connections.close,
    fetch: async (url, tenantId, signal, storing) => {
      const body = await fetchFile(url, { connections, allowed, limits, signal });
      try {
        const image = imageFacts(tenantId, url, body);
        await storing?.(image);
        await putOnce(store, image.key, body);
        return image;
      } finally {
        await body.close();
      }
    },
  };
}

function imageFacts(tenantId: string, url: string, body: Body): ImageFacts {
  const header = readImageHeader(body.head);
  if (header === undefined)
    throw new ImageFetchFailure(
      url,
      `the response (${body.bytes} bytes) is not an image: ${imageTypeNames} are supported`,
    );
  const key = contentKey(tenantId, body.sha256, fileNameOf(url, header.type));
  const { type, width, height } = header;
  const { sha256, bytes: size } = body;
  return { key, mimeType: imageTypes[type].mimeType, width, height, size, sha256 };
}

/** Stores an image unless it exists: its key is derived from its content, so an existing file is the same. */
async function putOnce(store: ObjectStore, key: string, body: Body): Promise<void> {
  try {
    await store.put(key, body.read(), { minBytes: body.bytes, maxBytes: body.bytes });
  } catch (error) {
    if (!(error instanceof ObjectStoreError && error.name === "ObjectExists")) throw error;
  }
}

/** The last part of the URL's path, with the extension of the image's real type. */
function fileNameOf(url: string, type: ImageType): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  const name = decoded(last).replace(/\.[A-Za-z]{3,4}$/, "");
  return `${name.replace(/[^A-Za-z0-9._-]+/g, "-").slice(-60) || "image"}.${imageTypes[type].extension}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
