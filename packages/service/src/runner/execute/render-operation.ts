import { codeOf, type Problem } from "../../errors.ts";
import { type Budget, type RenderedPayload, type RenderScope, renderPayload } from "../../templates/index.ts";
import type { Fetch } from "../images/fetch-queue.ts";
import { omitPaths } from "../images/omit-paths.ts";
import type { NoImage, TaskImages, UploadedImage } from "../images/task-images.ts";

export interface RenderedOperation extends RenderedPayload {
  /** The images that its templates uploaded. */
  uploaded?: readonly UploadedImage[];
  /** The images that could not be fetched: the texts that need them are left out of the payload. */
  failures?: readonly Problem[];
}

/** Renders the payload of an operation; undefined while an image that it uploads is still on its way. */
export async function renderOperation(
  payload: object,
  scope: RenderScope,
  images: TaskImages,
  budget?: Budget,
): Promise<RenderedOperation | undefined> {
  const rendered = await renderPayload(payload, scope, budget);
  const { unavailable } = rendered;
  if (unavailable === undefined) return withUploaded(rendered);
  const awaited: Fetch[] = [];
  const failures: Problem[] = [];
  for (const { path, reason } of unavailable) {
    // Only `upload` has no value at times, and this is its reason.
    const noImage = reason as NoImage;
    if ("awaited" in noImage) awaited.push(noImage.awaited);
    else failures.push({ code: codeOf("ImageFetchError"), message: noImage.message, path });
  }
  if (awaited.length > 0) {
    images.await(awaited);
    return undefined;
  }
  const paths = unavailable.map(({ path }) => path);
  const rest = await renderOperation(omitPaths(payload, paths), scope, images, rendered.budget);
  return rest && { ...rest, failures };
}

/** Only `upload` collects anything. */
function withUploaded({ collected, ...rendered }: RenderedPayload): RenderedOperation {
  return collected === undefined
    ? rendered
    : { ...rendered, uploaded: collected as readonly UploadedImage[] };
}
