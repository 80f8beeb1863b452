import { codeOf, type ErrorDetail } from "../errors.ts";
import { type Rendered, type RenderScope, renderPayload } from "../templates/index.ts";
import { leaveOut } from "./leave-out.ts";
import type { NoImage, TaskImages, UploadedImage } from "./task-images.ts";

export interface RenderedOperation extends Rendered {
  /** The images that its templates uploaded. */
  uploaded?: readonly UploadedImage[];
  /** The images that could not be fetched: what they were for is left out of the payload. */
  failures?: readonly ErrorDetail[];
}

/** Renders the payload of an operation; undefined while an image that it uploads is still on its way. */
export async function renderOperation(
  payload: object,
  scope: RenderScope,
  images: TaskImages,
): Promise<RenderedOperation | undefined> {
  const rendered = await renderPayload(payload, scope);
  const uploaded = images.takeUsed();
  const { unanswered } = rendered;
  if (unanswered === undefined) return uploaded === undefined ? rendered : { ...rendered, uploaded };
  const failures: ErrorDetail[] = [];
  for (const { path, reason } of unanswered) {
    const noImage = reason as NoImage;
    if (noImage === "awaited") return undefined;
    failures.push({ code: codeOf("ImageFetchError"), message: noImage.message, path });
  }
  const paths = unanswered.map(({ path }) => path);
  const rest = await renderOperation(leaveOut(payload, paths), scope, images);
  return rest && { ...rest, failures };
}
