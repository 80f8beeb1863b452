import { Command } from "commander";
import { type Context, confirm, counted, json, note } from "../../context.ts";
import { readText } from "../../files/write-whole.ts";
import { type CommonFlags, repeatable, withCommon, withExamples } from "../../options.ts";
import { self } from "../../task/hint.ts";

interface Flags extends CommonFlags {
  intent: string[];
}

/** `lading mass-operation init [file]`: a new mass operation file, and the JSON Schema for editors. */
export function command(context: Context): Command {
  const init = new Command("init")
    .description(
      "Writes a new mass operation file, and next to it the JSON Schema for completion in editors.",
    )
    .argument("[file]", "the file to write", "mass-operation.json")
    .addOption(repeatable("--intent <intent>", "the intent of an operation to start with"))
    .action((file: string, flags: Flags) => initialize(context, file, flags));
  return withExamples(
    withCommon(init),
    "lading mass-operation init",
    "lading mass-operation init shop.json --intent shape/upsert --intent product/upsert",
  );
}

async function initialize(context: Context, file: string, flags: Flags): Promise<void> {
  const { createFile, existing } = await import("../../operation-file/create.ts");
  const { newOperations } = await import("../../operation-file/new-operations.ts");
  const operations = newOperations(flags.intent, []);
  if ((await readText(file)) !== undefined) throw existing(file);
  const schema = await createFile(file, operations);
  if (flags.json) return json(context.stdout, { file, schema, operations });
  confirm(context, `${file}: a new file with ${counted(operations.length, "operation")}, and ${schema}.`);
  note(context, `Fill it in, or add operations: ${self()} mass-operation add-operation ${file}`);
}
