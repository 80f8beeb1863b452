import { misuseOfPicturePath, pictureNotGiven } from "@lading/schema/internal";
import { Rejection } from "../../errors.ts";
import { ImageFetchFailure } from "../../media/fetch/fetch-failure.ts";
import { storedImages } from "../../media/stored-images.ts";
import type { ClaimedTask } from "../../storage/bulk-tasks/claims/claimed-task.ts";
import type { ImageFacts } from "../../storage/collections/images.ts";
import { imagesByKey } from "../../storage/queries/images.ts";
import { correctPicture, picturesOfTask, type TaskPicture } from "../../storage/task-details/pictures.ts";
import { sha256Of } from "../../uploads/object-store.ts";
import type { RunnerServices } from "../services.ts";
import type { ImageSource } from "./image-source.ts";

/** A picture that an operation cannot have: it fails. */
export class UnusablePicture extends Error {
  override readonly name = "UnusablePicture";
}

type Services = Pick<RunnerServices, "database" | "store">;

/**
 * Returns a function that finds the image that a path in a task's file stands for. It throws `UnusablePicture`,
 * `ImageFetchFailure` for what is neither a path nor a URL, and the errors of the database and the object store.
 */
export function taskPictures(
  services: Services,
  task: Pick<ClaimedTask, "tenantId" | "taskId">,
): (source: ImageSource) => Promise<ImageFacts> {
  let loaded: Promise<ReadonlyMap<string, TaskPicture>> | undefined;
  const load = async () => {
    const pictures = await picturesOfTask(services.database, task);
    return new Map(pictures.map((picture) => [picture.path, picture]));
  };
  return async ({ url: path, sha256 }) => {
    const misuse = misuseOfPicturePath(path);
    if (misuse !== undefined) throw new ImageFetchFailure(path, misuse);
    loaded ??= load();
    const picture = (await loaded).get(path);
    if (picture === undefined) throw new UnusablePicture(pictureNotGiven(path));
    const image = await pinnedImage(services, task.tenantId, picture);
    if (sha256 === null && picture.sha256 === null) return image;
    const digest = image.sha256 ?? (await sha256Of(services.store, picture.key, picture.etag));
    await requireStated(services, task.tenantId, { picture, digest });
    if (sha256 !== null && digest !== sha256)
      throw new UnusablePicture(`the SHA-256 of the picture "${path}" is ${digest}, not ${sha256}`);
    return image;
  };
}

/** Reads the facts of the image, unless it is registered and they are known. */
async function pinnedImage(
  { database, store }: Services,
  tenantId: string,
  { path, key, etag }: TaskPicture,
): Promise<ImageFacts> {
  const file = await store.stat(key);
  if (file?.etag !== etag)
    throw new UnusablePicture(
      `the picture "${path}" is gone or was replaced, after the task was created, under the key "${key}"`,
    );
  const registered = (await imagesByKey(database, tenantId, [key])).get(key);
  if (registered !== undefined) return registered;
  return storedImages(store, tenantId)
    .image(key)
    .catch((error: unknown) => {
      throw error instanceof Rejection
        ? new UnusablePicture(`the picture "${path}": ${error.message}`)
        : error;
    });
}

/** Refuses a picture with another digest than the client stated, and corrects that, so that it is sent again. */
async function requireStated(
  { database }: Services,
  tenantId: string,
  { picture: { path, key, sha256: stated }, digest }: { picture: TaskPicture; digest: string },
): Promise<void> {
  if (stated === null || stated === digest) return;
  await correctPicture(database, tenantId, { key, sha256: digest });
  throw new UnusablePicture(
    `the picture "${path}" was uploaded with the SHA-256 ${digest}, not ${stated} as stated: run the file again`,
  );
}
