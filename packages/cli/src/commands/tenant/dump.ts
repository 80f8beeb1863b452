import { Command, Option } from "commander";
import { type Context, confirm, counted, json, line, note } from "../../context.ts";
import { makeFolder, ownerOnly, refuseToReplace, writeWhole } from "../../files/write-whole.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../options.ts";
import { imageFolder, withPaths, writeImages } from "../../pictures/dumped-images.ts";
import { type DumpEnd, omissionText, withoutReport } from "../../service/dump-lines.ts";
import { download } from "../../service/graphql.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";

interface Flags extends TokenFlags {
  force?: boolean;
  only?: string[];
  without?: string[];
  anonymise?: boolean;
  ids?: string;
  images?: string;
}

/** `lading tenant dump <tenant> [file]`: all data of a tenant, as a mass operation file. */
export function command(context: Context): Command {
  const dump = new Command("dump")
    .description("Writes a tenant's data as a mass operation file, one operation per line.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("[file]", "the file to write (default: standard output)")
    .option("--only <kind...>", "only these kinds of operations, such as settings")
    .option("--without <kind...>", "all kinds except these, such as orders customers contracts")
    .option("--anonymise", "replace names, addresses and other personal data with pseudonyms")
    .addOption(
      new Option(
        "--ids <form>",
        "ids as they are, or natural keys, which another tenant can resolve (default: keep)",
      ).choices(["keep", "natural"]),
    )
    .option("--images <folder>", "also write the images, which the file then names by their paths")
    .option("--force", "replace the file if it exists")
    .action((tenant: string, file: string | undefined, flags: Flags) =>
      dumpTenant(context, tenant, file, flags),
    );
  return withExamples(
    withDetails(withToken(dump), details),
    "lading tenant dump acme acme.json",
    "lading tenant dump acme catalogue.json --without orders customers contracts",
    "lading tenant dump acme staging.json --anonymise",
    "lading tenant dump acme acme.json --ids natural",
    "lading tenant dump acme acme.json --images images",
    "lading tenant dump acme | gzip > acme.json.gz",
  );
}

const details = `Needs an admin's token: the file holds all data of the tenant, personal data included, unless it is anonymised. Data
that no operation can write is listed on standard error. The exit code is 4 if an image could not be read. docs/tenant-file.md has the order of the operations, and the limits.`;

async function dumpTenant(
  context: Context,
  tenant: string,
  file: string | undefined,
  flags: Flags,
): Promise<void> {
  const folder = flags.images === undefined ? undefined : imageFolder(file, flags.images);
  if (file !== undefined) await refuseToReplace(context, file, flags);
  const endpoint = await tenantEndpoint(context, tenant, flags);
  if (folder !== undefined) await makeFolder(folder.folder);
  const end: DumpEnd = { operations: 0, omissions: [] };
  const text = withoutReport(download(endpoint, `/dump.json${queryOf(flags)}`), end);
  const written = folder === undefined ? text : withPaths(text, folder);
  await (file === undefined ? print(context, written) : writeWhole(file, written, ownerOnly));
  const images = file && folder && (await writeImages(context, endpoint, file, folder));
  for (const omission of end.omissions) line(context.stderr, omissionText("not restored", omission));
  const { operations, omissions } = end;
  if (file === undefined) note(context, counted(operations, "operation"));
  else if (flags.json) json(context.stdout, { file, operations, omissions, ...(images && { images }) });
  else {
    const more = images ? `, ${counted(images.written, "image")}` : "";
    confirm(context, `${file}: ${counted(operations, "operation")}${more}`);
  }
}

function queryOf({ only, without, anonymise, ids }: Flags): string {
  const query = new URLSearchParams({
    ...(only && { only: only.join() }),
    ...(without && { without: without.join() }),
    ...(anonymise && { anonymise: "true" }),
    ...(ids && { ids }),
  });
  return query.size === 0 ? "" : `?${query}`;
}

async function print({ stdout }: Context, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    stdout.write(piece);
    await stdout.drained?.();
    if (stdout.hasReader === false) return;
  }
}
