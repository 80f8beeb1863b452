import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { misuseOfPicturePath } from "@lading/schema/internal";
import { concurrently } from "@lading/service/concurrently";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { Command } from "commander";
import { type Context, confirm, counted, json, note } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { refuseToReplace, writeWhole } from "../../files/write-whole.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../options.ts";
import { type LocalPicture, pictureAt } from "../../pictures/local-pictures.ts";
import { requireSmall, type SentPicture, sendPictures } from "../../pictures/send.ts";
import { graphql } from "../../service/documents.ts";
import { type Endpoint, request, succeeded } from "../../service/graphql.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";

interface Flags extends TokenFlags {
  map: string;
  force?: boolean;
}

/** `lading image upload <tenant> <folder>`: uploads all images of a folder, and writes which has which key. */
export function command(context: Context): Command {
  const upload = new Command("upload")
    .description("Uploads the images of a folder, and of the folders in it, and writes their keys.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("<folder>", "the folder with the images")
    .requiredOption("--map <file>", "the JSON file to write: the key of each image by its path in the folder")
    .option("--force", "replace the file if it exists")
    .action((tenant: string, folder: string, flags: Flags) => uploadImages(context, tenant, folder, flags));
  return withExamples(
    withDetails(withToken(upload), details),
    "lading image upload acme images --map images.json",
    "lading image upload acme images --map images.json --force",
  );
}

const details = `Images that the tenant has already are not sent again. Other files, and names that begin with a dot, are left out.
Operation files can also name pictures by their paths: docs/pictures.md.`;

/** Images that are sent, and then registered, before the next ones. */
const portion = 1_000;

/** Images registered at a time. */
const registeredAtOnce = 8;

async function uploadImages(context: Context, tenant: string, folder: string, flags: Flags): Promise<void> {
  await refuseToReplace(context, flags.map, flags);
  const pictures = await imagesIn(context, folder);
  const endpoint = await tenantEndpoint(context, tenant, flags);
  await requireSmall(endpoint, pictures);
  const sent: SentPicture[] = [];
  for (let at = 0; at < pictures.length; at += portion) {
    const some = await sendPictures(context, endpoint, pictures.slice(at, at + portion));
    const keys = [...new Set(some.map(({ key }) => key))];
    await concurrently(keys, registeredAtOnce, (key) => register(context, endpoint, key));
    sent.push(...some);
  }
  const map = Object.fromEntries(sent.map(({ path, key }) => [path, key]));
  await writeWhole(flags.map, `${JSON.stringify(map, null, 2)}\n`);
  if (flags.json) json(context.stdout, { map: flags.map, images: sent.length });
  else confirm(context, `${flags.map}: ${counted(sent.length, "image")}`);
}

const mutation = graphql(`
  mutation RegisterImage($key: String!) {
    registerImage(imageKey: $key) { ... on Image { key } ... on BasicError { error errorName } }
  }`);

async function register({ interrupted }: Context, endpoint: Endpoint, key: string): Promise<void> {
  if (interrupted.aborted) throw new CliError("interrupted", exitCode.interrupted);
  succeeded((await request(endpoint, mutation, { key })).registerImage);
}

/** The path of a file in a folder, as operation files name it. */
const pathIn = (folder: string, file: string) => `./${relative(folder, file).split(sep).join("/")}`;

/** Finds the images of a folder, ordered by path. @throws CliError for a folder or a file that cannot be used */
async function imagesIn(context: Context, folder: string): Promise<LocalPicture[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === "ENOENT") throw new CliError(`there is no folder ${folder}`);
    if (code === "ENOTDIR") throw new CliError(`${folder} is a file; name the folder with the images`);
    throw new CliError(`cannot read ${folder}: ${errorMessage(error)}`);
  });
  const paths = files
    .filter((file) => !file.isDirectory())
    .map(({ parentPath, name }) => pathIn(folder, join(parentPath, name)))
    .filter((path) => !/\/\./.test(path.slice(1)))
    .sort();
  const images: LocalPicture[] = [];
  for (const path of paths) {
    const image = pictureAt(folder, path);
    if (typeof image === "string") {
      note(context, `Left out: ${image}`);
      continue;
    }
    const misuse = misuseOfPicturePath(path);
    if (misuse !== undefined) throw new CliError(`${misuse}: rename the file. Nothing was sent`);
    images.push(image);
  }
  return images;
}
