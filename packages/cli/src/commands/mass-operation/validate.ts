import { Command } from "commander";
import { checkFile, printIssues, summary } from "../../check-file.ts";
import { type Context, json, line } from "../../context.ts";
import { exitCode } from "../../exit.ts";
import { type CommonFlags, withCommon, withExamples } from "../../options.ts";

interface Flags extends CommonFlags {
  strict?: boolean;
}

/** `lading mass-operation validate <file>`: checks a file on this machine; exit code 2 when it has errors. */
export function command(context: Context): Command {
  const checking = new Command("validate")
    .description("Checks a mass operation file on this machine, without a service.")
    .argument("<file>", "the mass operation file")
    .option("--strict", "treat warnings as errors")
    .action((file: string, flags: Flags) => validate(context, file, flags));
  return withExamples(
    withCommon(checking),
    "lading mass-operation validate shop.json",
    "lading mass-operation validate shop.json --strict --json",
  );
}

async function validate(context: Context, file: string, flags: Flags): Promise<void> {
  const { lifetimes: _, ...report } = await checkFile(context, file, { strict: flags.strict ?? false });
  const valid = report.errorCount === 0;
  if (!valid) context.exitCode = exitCode.invalidFile;
  if (flags.json) return json(context.stdout, { file, valid, ...report });
  printIssues(context.stdout, file, report);
  line(context.stdout, summary(file, report));
}
