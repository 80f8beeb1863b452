import { ImageFetchFailure } from "../media/fetch/fetch-failure.ts";
import type { ImageFetcher } from "../media/fetch/image-fetcher.ts";
import type { Metrics } from "./metrics.ts";

export function measuredImages(images: ImageFetcher, metrics: Metrics): ImageFetcher {
  return {
    ...images,
    async fetch(url, tenantId, signal, storing) {
      const end = metrics.imageSeconds.startTimer();
      try {
        const image = await images.fetch(url, tenantId, signal, storing);
        end({ outcome: "stored" });
        metrics.imageBytes.inc(image.size);
        return image;
      } catch (error) {
        // `refused` is the fault of the image or its host, `trouble` of the object store or the service.
        const outcome = signal.aborted
          ? "aborted"
          : error instanceof ImageFetchFailure
            ? "refused"
            : "trouble";
        end({ outcome });
        throw error;
      }
    },
  };
}
