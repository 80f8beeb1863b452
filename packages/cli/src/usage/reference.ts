import type { Command } from "commander";
import { exitCode } from "../exit.ts";
import { program } from "../program.ts";

export { detailsOf, examplesOf, markRequired } from "../options.ts";

/** Makes the whole command line, to be described rather than run. */
export function everyCommand(): Promise<Command> {
  const nowhere = { write() {} };
  return program(
    {
      stdout: nowhere,
      stderr: nowhere,
      stdin: {},
      interrupted: new AbortController().signal,
      exitCode: exitCode.success,
      quiet: false,
    },
    "all",
  );
}
