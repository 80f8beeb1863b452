import { codeOf, type Problem } from "../../errors.ts";
import { errorMessage } from "../../system/thrown.ts";
import { type Budget, type RenderedPayload, type RenderScope, renderPayload } from "../../templates/index.ts";
import { Fetch } from "../images/fetch-queue.ts";
import { omitPaths } from "../images/omit-paths.ts";
import type { TaskImages, UploadedImage } from "../images/task-images.ts";

export interface RenderedOperation extends RenderedPayload {
  /** The images that its templates uploaded. */
  uploaded?: readonly UploadedImage[];
  /** The images that could not be fetched: the texts that need them are left out of the payload. */
  failures?: readonly Problem[];
}

/** Renders the payload of an operation; undefined while an image that it uploads is still being fetched. */
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
    if (reason instanceof Fetch) awaited.push(reason);
    else failures.push({ code: codeOf("ImageFetchError"), message: errorMessage(reason), path });
  }
  if (awaited.length > 0) {
    images.await(awaited);
    return undefined;
  }
  const paths = unavailable.map(({ path }) => path);
  const rest = await renderOperation(omitPaths(payload, paths), scope, images, rendered.budget);
  return rest && { ...rest, failures };
}

function withUploaded({ collected, ...rendered }: RenderedPayload): RenderedOperation {
  // Only `upload` collects anything.
  return collected ? { ...rendered, uploaded: collected as readonly UploadedImage[] } : rendered;
}
