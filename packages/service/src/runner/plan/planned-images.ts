import { createHash } from "node:crypto";
import type { Helper } from "@lading/schema";
import { type Media, storedImages } from "../../media/stored-images.ts";
import type { ImageFacts } from "../../storage/collections/images.ts";
import { isUnknownKey, unknownKey } from "../../uploads/keys.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import { type OperationImages, uploadedBy } from "../images/task-images.ts";

/** Facts that are as good as any: nothing that a command decides depends on them. */
const factsOf = (key: string): ImageFacts => ({
  key,
  mimeType: "image/svg+xml",
  width: null,
  height: null,
  size: 1,
});

/** Images of a plan, which fetches and stores none: those that operations upload have a placeholder for their key. */
export function plannedImages(store: ObjectStore, tenantId: string): OperationImages {
  const stored: Media = storedImages(store, tenantId);
  const upload: Helper = (parameters, _, rendering) => {
    const { url, resourceIdentifier } = uploadedBy(parameters);
    const image = factsOf(unknownKey(tenantId, createHash("sha256").update(url).digest("hex")));
    rendering.collected ??= [];
    rendering.collected.push({ image, resourceIdentifier });
    return image.key;
  };
  return {
    upload,
    prefetch: () => {},
    ready: async (operations) => operations,
    prefetchImages: () => {},
    await: () => {},
    image: async (key) => (isUnknownKey(key) ? factsOf(key) : stored.image(key)),
    bytes: (key) => stored.bytes(key),
    registered: () => {},
    discard: () => {},
    commit: () => {},
    close: async () => {},
    sweep: async () => {},
  };
}
