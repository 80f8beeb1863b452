import { Command } from "commander";
import { type Context, json, line } from "../../context.ts";
import { exitCode } from "../../exit.ts";
import { checkFile, checkForPeople, summary } from "../../files/check-file.ts";
import { fileMeaning, inputName, jsonOf, largestJson } from "../../files/json-input.ts";
import { type CommonFlags, withAll, withCommon, withDetails, withExamples } from "../../options.ts";
import { LocalPictures } from "../../pictures/local-pictures.ts";

interface Flags extends CommonFlags {
  strict?: boolean;
  all?: boolean;
}

/** `lading mass-operation validate <file>`: checks a file on this machine; exit code 2 when it has errors. */
export function command(context: Context): Command {
  const checking = new Command("validate")
    .description("Checks a mass operation file on this machine, without a service.")
    .argument("<file>", fileMeaning)
    .option("--strict", "treat warnings as errors")
    .action((file: string, flags: Flags) => validate(context, file, flags));
  return withExamples(
    withDetails(
      withCommon(withAll(checking)),
      "Exit codes: 0 no errors, 1 usage error, 2 the file is invalid.",
    ),
    "lading mass-operation validate shop.json",
    "lading mass-operation validate shop.json --strict --json",
    "lading mass-operation validate shop.json.gz",
  );
}

async function validate(context: Context, file: string, flags: Flags): Promise<void> {
  const content = jsonOf(context, file, largestJson);
  const name = inputName(file);
  const { strict = false, all = false } = flags;
  const options = { strict, pictures: new LocalPictures(file) };
  const check = flags.json
    ? checkFile(content, options)
    : checkForPeople(context, name, content, { ...options, all });
  const { lifetimes: _, ...report } = await check;
  const valid = report.errorCount === 0;
  if (!valid) context.exitCode = exitCode.invalidFile;
  if (flags.json) json(context.stdout, { file, valid, ...report });
  else if (!valid || !context.quiet) line(context.stdout, summary(name, report));
}
