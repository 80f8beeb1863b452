import { codeOf, type Problem } from "../../errors.ts";
import { type Budget, type Rendered, type RenderScope, renderPayload } from "../../templates/index.ts";
import type { Fetch } from "../images/fetch-queue.ts";
import { leaveOut } from "../images/omit-paths.ts";
import type { NoImage, TaskImages, UploadedImage } from "../images/task-images.ts";

export interface RenderedOperation extends Rendered {
  /** The images that its templates uploaded. */
  uploaded?: readonly UploadedImage[];
  /** The images that could not be fetched: what they were for is left out of the payload. */
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
  const { unanswered } = rendered;
  if (unanswered === undefined) return withUploaded(rendered);
  const awaited: Fetch[] = [];
  const failures: Problem[] = [];
  for (const { path, reason } of unanswered) {
    const noImage = reason as NoImage;
    if ("awaited" in noImage) awaited.push(noImage.awaited);
    else failures.push({ code: codeOf("ImageFetchError"), message: noImage.message, path });
  }
  if (awaited.length > 0) {
    images.await(awaited);
    return undefined;
  }
  const paths = unanswered.map(({ path }) => path);
  const rest = await renderOperation(leaveOut(payload, paths), scope, images, rendered.budget);
  return rest && { ...rest, failures };
}

/** Only `upload` notes anything. */
function withUploaded({ noted, ...rendered }: Rendered): RenderedOperation {
  return noted === undefined ? rendered : { ...rendered, uploaded: noted as readonly UploadedImage[] };
}
