import { images } from "../storage/collections/images.ts";
import type { Fetcher } from "./fetcher.ts";

/** An image as templates see it. It is the same in all languages, and has no variants in other sizes. */
export const fetchImageByResourceIdentifier: Fetcher = {
  missing: "ImageNotFoundError",
  what: "image has the resource identifier",
  prefetch: (name, _, prefetch) => prefetch(images, "resourceIdentifier", [name]),
  find: async ({ unit }, name) => {
    const [image] = await unit.find(images, "resourceIdentifier", name);
    return image && { ...image, variants: [] };
  },
};
