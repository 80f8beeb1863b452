import { toPointer } from "@lading/schema";
import type { CommandContext, CommandResult } from "../../domain/command.ts";
import { registerImage } from "../../domain/image/register.ts";
import { type Problem, Rejection } from "../../errors.ts";
import type { OperationImages, UploadedImage } from "./task-images.ts";

/** Registers the images that an executed operation's templates uploaded. */
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

/** Maximum number of images an operation lists as not fetched; the rest are counted. */
const maxNamed = 100;

function detailsOf(failures: readonly Problem[]): Problem[] {
  const more = failures.length - maxNamed;
  const named = failures.slice(0, maxNamed);
  const message = `${more} more ${more === 1 ? "image" : "images"} could not be fetched`;
  return more > 0 ? [...named, { code: "More", message, path: [] }] : named;
}

/**
 * Adds the images that could not be fetched to the result of an operation executed without them. `output.kept` has the
 * locations in the payload (JSON pointers) whose stored values were kept.
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

/** Failures that are likely consequences of an omitted image. */
const consequences: readonly string[] = ["ValidationError", "ComponentContentValidationFailedError"];

/**
 * Adds the images that could not be fetched to the failure of an operation executed without them. The name, the message
 * and the first error all describe the images, if the failure is likely their consequence.
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
