import { createHash } from "node:crypto";
import { type Helper, isPicturePath } from "@lading/schema/internal";
import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import { type ImageFacts, images } from "../../storage/collections/images.ts";
import { withLoaded } from "../../storage/unit-of-work/loaded.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { isUnknownKey, unknownKey } from "../../uploads/keys.ts";
import { type ImageSource, registeredImage, uploadedBy } from "../images/image-source.ts";
import { literalUploads } from "../images/literal-uploads.ts";
import { collect, type OperationImages, TaskImages } from "../images/task-images.ts";
import type { RunnerServices } from "../services.ts";

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
 * with the digest. Pictures that paths stand for are there, as in a run.
 */
export function plannedImages(services: RunnerServices, task: ClaimedTask): OperationImages {
  const { tenantId } = task;
  const pictures = new TaskImages(services, task, ({ url }) => isPicturePath(url));
  const unknown = ({ url, sha256 }: ImageSource): ImageFacts =>
    factsOf(unknownKey(tenantId, createHash("sha256").update(url).digest("hex")), sha256);
  const upload = (unit: UnitOfWork): Helper => {
    const uploadPicture = pictures.upload(unit);
    return (parameters, named, rendering) => {
      const { source, resourceIdentifier } = uploadedBy(parameters, named);
      if (isPicturePath(source.url)) return uploadPicture(parameters, named, rendering);
      return withLoaded(registeredImage(unit, source), (registered) =>
        collect(rendering, { image: registered ?? unknown(source), resourceIdentifier }),
      );
    };
  };
  return {
    upload,
    prefetch: (operations) => pictures.prefetch(operations),
    ready: (operations, signal) => pictures.ready(operations, signal),
    prefetchImages: (operations, prefetch) => {
      pictures.prefetchImages(operations, prefetch);
      for (const operation of operations)
        for (const { sha256 } of literalUploads(operation))
          if (sha256 !== null) prefetch(images, "sha256", [sha256]);
    },
    await: (fetches) => pictures.await(fetches),
    image: async (key) => (isUnknownKey(key) ? factsOf(key) : pictures.image(key)),
    bytes: (key) => pictures.bytes(key),
    registered: (key) => pictures.registered(key),
    discard: () => pictures.discard(),
    commit: (cursor) => pictures.commit(cursor),
    close: () => pictures.close(),
    sweep: async () => {},
  };
}
