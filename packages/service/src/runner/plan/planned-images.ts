import { createHash } from "node:crypto";
import type { Helper } from "@lading/schema";
import { type Media, storedImages } from "../../media/stored-images.ts";
import { type ImageFacts, images } from "../../storage/collections/images.ts";
import { withLoaded } from "../../storage/unit-of-work/loaded.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { isUnknownKey, unknownKey } from "../../uploads/keys.ts";
import type { ObjectStore } from "../../uploads/object-store.ts";
import { type ImageSource, registeredImage, uploadedBy } from "../images/image-source.ts";
import { literalUploads } from "../images/literal-uploads.ts";
import { collect, type OperationImages } from "../images/task-images.ts";

/** Placeholder facts: no command's decision depends on them. */
const factsOf = (key: string, sha256: string | null = null): ImageFacts => ({
  key,
  sha256,
  mimeType: "image/svg+xml",
  width: null,
  height: null,
  size: 1,
});

/**
 * The images of a plan, which fetches and stores none: uploads get a placeholder key, unless the tenant has an image
 * with the digest.
 */
export function plannedImages(store: ObjectStore, tenantId: string): OperationImages {
  const stored: Media = storedImages(store, tenantId);
  const unknown = ({ url, sha256 }: ImageSource): ImageFacts =>
    factsOf(unknownKey(tenantId, createHash("sha256").update(url).digest("hex")), sha256);
  const upload =
    (unit: UnitOfWork): Helper =>
    (parameters, named, rendering) => {
      const { source, resourceIdentifier } = uploadedBy(parameters, named);
      return withLoaded(registeredImage(unit, source), (registered) =>
        collect(rendering, { image: registered ?? unknown(source), resourceIdentifier }),
      );
    };
  return {
    upload,
    prefetch: () => {},
    ready: async (operations) => operations,
    prefetchImages: (operations, prefetch) => {
      for (const operation of operations)
        for (const { sha256 } of literalUploads(operation))
          if (sha256 !== null) prefetch(images, "sha256", [sha256]);
    },
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
