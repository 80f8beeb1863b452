import { Command } from "commander";
import { type Context, json, line, paint, plain } from "../context.ts";
import { exitCode } from "../exit.ts";
import { type OperatorFlags, withExamples, withOperator } from "../options.ts";

/** `lading doctor`: checks the configuration, and what it can reach. */
export function command(context: Context): Command {
  const doctor = new Command("doctor")
    .description("Checks the configuration of this machine and what it can reach; changes nothing.")
    .action((flags: OperatorFlags) => diagnose(context, flags));
  return withExamples(
    withOperator(doctor),
    "lading doctor",
    "lading doctor --url https://lading.example.com --json",
  );
}

const styles = { ok: "green", note: "yellow", problem: "red" } as const;

async function diagnose(context: Context, flags: OperatorFlags): Promise<void> {
  // Loaded only here: the help of all commands does not need it.
  const { examine } = await import("../doctor/checks.ts");
  const findings = await examine(flags);
  if (findings.some(({ level }) => level === "problem")) context.exitCode = exitCode.usage;
  if (flags.json) return json(context.stdout, findings);
  for (const { level, what, detail } of findings) {
    line(
      context.stdout,
      `${paint(context.stdout, styles[level], level.padEnd(8))}${what.padEnd(14)}${plain(detail)}`,
    );
  }
}
