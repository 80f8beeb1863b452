import {
  type ImageFetcher,
  type ImageFetcherOptions,
  openImageFetcher,
} from "../../../packages/service/src/media/fetch/image-fetcher.ts";
import type { ObjectStore } from "../../../packages/service/src/uploads/object-store.ts";

/** Fetches from this machine too, four images at a time. */
export const imageFetcher = (
  store: ObjectStore,
  options: Partial<Omit<ImageFetcherOptions, "store">> = {},
): ImageFetcher => openImageFetcher({ store, allowedHosts: ["127.0.0.1"], concurrency: 4, ...options });
