import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { askWhich, mayAsk } from "../../ask.ts";
import { type Context, counted, json, line } from "../../context.ts";
import { CliError } from "../../exit.ts";
import { type CommonFlags, withCommon, withExamples } from "../../options.ts";
import { self } from "../../task/hint.ts";
import { writeWhole } from "../../write-whole.ts";

interface Flags extends CommonFlags {
  intent: string[];
}

/** `lading mass-operation add-operation <file>`: puts operations to fill in at the end of a file. */
export function command(context: Context): Command {
  const add = new Command("add-operation")
    .description("Adds valid operations to fill in to a mass operation file; creates the file if needed.")
    .argument("<file>", "the mass operation file")
    .option("--intent <intent>", "the intent of an operation to add; may be repeated", collect, [])
    .action((file: string, flags: Flags) => addOperations(context, file, flags));
  return withExamples(
    withCommon(add),
    "lading mass-operation add-operation shop.json   # asks which",
    "lading mass-operation add-operation shop.json --intent shape/upsert --intent product/upsert",
  );
}

const collect = (intent: string, before: string[]) => [...before, intent];

async function addOperations(context: Context, file: string, flags: Flags): Promise<void> {
  const { isIntent, skeletonOf } = await import("@lading/schema");
  const intents = flags.intent.length > 0 ? flags.intent : await ask(context, flags);
  const unknown = intents.filter((intent) => !isIntent(intent));
  if (unknown.length > 0) throw new CliError(await explain(unknown));
  const operations = intents.filter(isIntent).map(skeletonOf);
  const { newFile, withOperations } = await import("../../operation-file/append.ts");
  const text = await read(file);
  await writeWhole(
    file,
    text === undefined ? newFile(operations) : await withOperations(text, operations, file),
  );
  if (flags.json) return json(context.stdout, { file, created: text === undefined, added: operations });
  line(context.stdout, `${file}: added ${counted(operations.length, "operation")} (${intents.join(", ")}).`);
  line(context.stderr, `Fill them in, then: ${self()} mass-operation validate ${file}`);
}

async function ask(context: Context, flags: Flags): Promise<string[]> {
  if (!mayAsk(context, flags))
    throw new CliError("name what to add with --intent, such as --intent product/upsert");
  const { intentNames, payloads } = await import("@lading/schema");
  const choices = intentNames.map((value) => ({ value, hint: payloads[value].description ?? "" }));
  return askWhich("Which operations? (type to search, Tab or Space to select)", choices);
}

async function explain(unknown: readonly string[]): Promise<string> {
  const { didYouMean, intentNames } = await import("@lading/schema");
  const hints = unknown.map((intent) => {
    const advice = didYouMean(intent, intentNames, 1);
    return `"${intent}" is not an intent${advice === undefined ? "" : `; ${advice}`}`;
  });
  return hints.join("\n");
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new CliError(`cannot read ${file}: ${error.message}`);
  });
}
