import { Command } from "commander";
import { readContentModel } from "../../content-model/read.ts";
import { type Context, confirm, counted, json } from "../../context.ts";
import { refuseToReplace, writeWhole } from "../../files/write-whole.ts";
import { type TokenFlags, withExamples, withToken } from "../../options.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";

interface Flags extends TokenFlags {
  force?: boolean;
  itemIds: boolean;
}

/** `lading mass-operation dump-content-model <tenant> <file>`: all shapes and pieces as a mass operation file. */
export function command(context: Context): Command {
  const dump = new Command("dump-content-model")
    .description("Writes a mass operation file with all shapes and pieces of a tenant.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("<file>", "the file to write")
    .option("--force", "replace the file if it exists")
    .option("--no-item-ids", "leave out ids of items, which mean nothing in another tenant")
    .action((tenant: string, file: string, flags: Flags) => dumpContentModel(context, tenant, file, flags));
  return withExamples(
    withToken(dump),
    "lading mass-operation dump-content-model acme model.json",
    "lading mass-operation dump-content-model acme model.json --force --no-item-ids",
  );
}

async function dumpContentModel(context: Context, tenant: string, file: string, flags: Flags): Promise<void> {
  await refuseToReplace(context, file, flags);
  const model = await readContentModel(await tenantEndpoint(context, tenant, flags));
  const { contentModelFile } = await import("../../content-model/file.ts");
  const operations = contentModelFile(model, flags);
  await writeWhole(file, `${JSON.stringify(operations, null, 2)}\n`);
  const counts = { shapes: model.shapes.length, pieces: model.pieces.length };
  if (flags.json) return json(context.stdout, { file, operations: operations.operations.length, ...counts });
  const what = `${counted(counts.shapes, "shape")} and ${counted(counts.pieces, "piece")}`;
  confirm(context, `${file}: ${what} in ${counted(operations.operations.length, "operation")}`);
}
