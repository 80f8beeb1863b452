import { Command } from "commander";
import { type Context, json, paint, plain, table } from "../context.ts";
import { exitCode } from "../exit.ts";
import { type OperatorFlags, withDetails, withExamples, withOperator } from "../options.ts";

/** `lading doctor`: checks the configuration, and what it can reach. */
export function command(context: Context): Command {
  const doctor = new Command("doctor")
    .description("Checks the configuration of this machine and what it can reach; leaves all as it was.")
    .action((flags: OperatorFlags) => diagnose(context, flags));
  return withExamples(
    withDetails(withOperator(doctor, "the service's data folder, which is checked"), exitCodes),
    "lading doctor",
    "lading doctor --url https://lading.example.com --json",
  );
}

const exitCodes = "Exit codes: 0 nothing is wrong, 1 there are problems. Notes don't count.";

const longestLevel = "problem".length;
const styles = { ok: "green", note: "yellow", problem: "red" } as const;

async function diagnose(context: Context, flags: OperatorFlags): Promise<void> {
  // Loaded only here: the help of all commands does not need it.
  const { examine } = await import("../doctor/checks.ts");
  const findings = await examine(context, flags);
  if (findings.some(({ level }) => level === "problem")) context.exitCode = exitCode.usage;
  if (flags.json) return json(context.stdout, findings);
  const { stdout } = context;
  const rows = findings.map(({ level, what, detail }) => [
    paint(stdout, styles[level], level.padEnd(longestLevel)),
    what,
    plain(detail),
  ]);
  table(stdout, rows);
}
