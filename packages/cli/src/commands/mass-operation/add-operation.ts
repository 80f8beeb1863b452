import { isObject } from "@lading/schema/internal/is-object";
import { Command } from "commander";
import { askWhich, mayAsk } from "../../ask.ts";
import { type Context, confirm, counted, json, note } from "../../context.ts";
import { CliError } from "../../exit.ts";
import { readText, writeWhole } from "../../files/write-whole.ts";
import { type CommonFlags, repeatable, withCommon, withExamples } from "../../options.ts";
import { self } from "../../task/hint.ts";

interface Flags extends CommonFlags {
  intent: string[];
}

/** `lading mass-operation add-operation <file>`: puts operations to fill in at the end of a file. */
export function command(context: Context): Command {
  const add = new Command("add-operation")
    .description("Adds operations to fill in to a mass operation file; creates the file if needed.")
    .argument("<file>", "the mass operation file")
    .addOption(repeatable("--intent <intent>", "the intent of an operation to add", "it asks"))
    .action((file: string, flags: Flags) => addOperations(context, file, flags));
  return withExamples(
    withCommon(add),
    "lading mass-operation add-operation shop.json   # asks which",
    "lading mass-operation add-operation shop.json --intent shape/upsert --intent product/upsert",
  );
}

async function addOperations(context: Context, file: string, flags: Flags): Promise<void> {
  const { newOperations } = await import("../../operation-file/new-operations.ts");
  const { operationsOf, withOperations } = await import("../../operation-file/append.ts");
  const intents = flags.intent.length > 0 ? flags.intent : await ask(context, flags);
  const text = await readText(file);
  const before = text === undefined ? [] : await operationsOf(text, file);
  const operations = newOperations(intents, before.map(refOf));
  if (text === undefined) await create(file, operations);
  else await writeWhole(file, await withOperations(text, before.length === 0, operations));
  if (flags.json) return json(context.stdout, { file, created: text === undefined, added: operations });
  confirm(context, `${file}: added ${counted(operations.length, "operation")} (${intents.join(", ")}).`);
  note(context, `Fill them in, then: ${self()} mass-operation validate ${file}`);
}

async function ask(context: Context, flags: Flags): Promise<string[]> {
  if (!mayAsk(context, flags))
    throw new CliError("name what to add with --intent, such as --intent product/upsert");
  const { intentNames, intents } = await import("@lading/schema/internal");
  const choices = intentNames.map((value) => ({ value, hint: intents[value].about }));
  return askWhich("Which operations? (type to search, Tab or Space to select)", choices);
}

const refOf = (operation: unknown) => (isObject(operation) ? operation._ref : undefined);

async function create(file: string, operations: readonly object[]): Promise<void> {
  const { createFile } = await import("../../operation-file/create.ts");
  await createFile(file, operations);
}
