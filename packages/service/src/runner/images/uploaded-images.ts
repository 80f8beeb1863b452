import { toPointer } from "@lading/schema";
import type { CommandContext, CommandResult } from "../../domain/command.ts";
import { registerImage } from "../../domain/image/register.ts";
import { type Problem, Rejection } from "../../errors.ts";
import type { OperationImages, UploadedImage } from "./task-images.ts";

/** Registers the images that the templates of an operation uploaded, once it has been executed. */
export async function registerUploaded(
  context: CommandContext,
  images: OperationImages,
  uploaded: readonly UploadedImage[],
  result: CommandResult,
): Promise<CommandResult> {
  let changed = false;
  for (const { image, resourceIdentifier } of uploaded) {
    const action = await registerImage(context, image, resourceIdentifier);
    changed ||= action !== "unchanged";
    images.registered(image.key);
  }
  return changed && result.action === "unchanged" ? { ...result, action: "updated" } : result;
}

/** Most images that an operation lists as not fetched; of the rest it gives the number. */
const maxNamed = 100;

function detailsOf(failures: readonly Problem[]): Problem[] {
  const more = failures.length - maxNamed;
  const named = failures.slice(0, maxNamed);
  const message = `${more} more ${more === 1 ? "image" : "images"} could not be fetched`;
  return more > 0 ? [...named, { code: "More", message, path: [] }] : named;
}

/**
 * Adds the images that could not be fetched to the result of an operation that was executed without them. `output.kept`
 * has the places in the payload (JSON pointers) whose stored values were kept for it.
 */
export function withoutImages(
  result: CommandResult,
  failures: readonly Problem[],
  kept: readonly (readonly (string | number)[])[] = [],
): CommandResult {
  const [first] = failures;
  if (first === undefined) return result;
  const errors = [...detailsOf(failures), ...(result.partial?.errors ?? [])];
  const partial = new Rejection("ImageFetchError", first.message, errors);
  return kept.length === 0
    ? { ...result, partial }
    : { ...result, partial, output: { ...result.output, kept: kept.map(toPointer) } };
}

/** Failures that are likely consequences of an image that was omitted. */
const consequences: readonly string[] = ["ValidationError", "ComponentContentValidationFailedError"];

/**
 * Adds the images that could not be fetched to the failure of an operation that was executed without them. The name,
 * the message and the first error all describe one problem: the images, if the failure is a likely consequence.
 */
export function blameImages(error: unknown, failures: readonly Problem[]): unknown {
  const [first] = failures;
  if (!(error instanceof Rejection) || first === undefined) return error;
  if (consequences.includes(error.name))
    return new Rejection("ImageFetchError", first.message, [...detailsOf(failures), ...error.errors]);
  const { name, message, errors } = error;
  return new Rejection(name, `${message.replace(/\.$/, "")}. Also: ${first.message}`, [
    ...errors,
    ...detailsOf(failures),
  ]);
}
