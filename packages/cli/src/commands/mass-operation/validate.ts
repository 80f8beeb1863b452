import { Command } from "commander";
import { type Context, line, json as printJson } from "../../context.ts";
import { exitCode } from "../../exit.ts";
import { checkFile, printIssues, summary } from "../../files/check-file.ts";
import { fileMeaning, inputName, jsonOf } from "../../files/json-input.ts";
import { type CommonFlags, withCommon, withExamples } from "../../options.ts";

interface Flags extends CommonFlags {
  strict?: boolean;
}

/** `lading mass-operation validate <file>`: checks a file on this machine; exit code 2 when it has errors. */
export function command(context: Context): Command {
  const checking = new Command("validate")
    .description("Checks a mass operation file on this machine, without a service.")
    .argument("<file>", fileMeaning)
    .option("--strict", "treat warnings as errors")
    .action((file: string, flags: Flags) => validate(context, file, flags));
  return withExamples(
    withCommon(checking),
    "lading mass-operation validate shop.json",
    "lading mass-operation validate shop.json --strict --json",
    "lading mass-operation validate shop.json.gz",
  );
}

/** The most bytes of a compressed file's JSON: the limit of uploads that a new tenant has. */
const maxBytes = 1024 ** 3;

async function validate(context: Context, file: string, flags: Flags): Promise<void> {
  const json = jsonOf(context, file, maxBytes);
  const { lifetimes: _, ...report } = await checkFile(json, { strict: flags.strict ?? false });
  const valid = report.errorCount === 0;
  if (!valid) context.exitCode = exitCode.invalidFile;
  if (flags.json) return printJson(context.stdout, { file, valid, ...report });
  printIssues(context.stdout, inputName(file), report);
  if (!valid || !context.quiet) line(context.stdout, summary(inputName(file), report));
}
