import { Command } from "commander";
import type { Context } from "../../context.ts";
import { fileMeaning, inputName } from "../../files/json-input.ts";
import { withAll, withDetails, withExamples, withMarkdown, withToken } from "../../options.ts";
import { type PlanFlags, printPlan } from "../../plan/print-plan.ts";
import { withRefuse } from "../../plan/refusals.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";
import { fileHint } from "../../task/hint.ts";
import { executeFile, type FileFlags } from "../../task/start.ts";
import { wholeNumber } from "./numbers.ts";

type Flags = FileFlags & Pick<PlanFlags, "first" | "exitCode"> & Partial<Pick<PlanFlags, "next">>;

/** `lading mass-operation plan <tenant> <file>`: shows what a file would do. */
export function command(context: Context): Command {
  const plan = new Command("plan")
    .description("Shows what a mass operation file would do, and changes nothing.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("<file>", fileMeaning)
    .option(
      "--first <number>",
      "number of operations whose changes are shown (default: 20; with --markdown, those that fit)",
      wholeNumber,
    )
    .option(
      "--max-failures <number>",
      "end the plan after more failures than this (default: no limit)",
      wholeNumber,
    )
    .option("--strict", "treat warnings as errors: nothing is sent")
    .option("--exit-code", "exit with 5 when there are changes")
    .action((tenant: string, file: string, flags: Flags) => planFile(context, tenant, file, flags));
  return withExamples(
    withDetails(withMarkdown(withRefuse(withToken(withAll(plan)), "exit with 7")), exitCodes),
    "lading mass-operation plan acme shop.json",
    "lading mass-operation plan acme shop.json --first 200 --exit-code",
    "lading mass-operation plan acme shop.json --no-interactive --json > plan.json",
    "lading mass-operation plan acme shop.json --markdown > plan.md",
  );
}

/** Shows what a file would do. */
export function planFile(context: Context, tenant: string, file: string, flags: Flags): Promise<void> {
  return executeFile(context, tenant, file, { ...flags, kind: "plan" }, async (seen) => {
    const endpoint = await tenantEndpoint(context, tenant, flags);
    const run = (id: string) => `${fileHint("run", { ...flags, tenant, file })} --plan ${id}`;
    await printPlan(context, endpoint, seen, { next: run, ...flags, tenant, subject: inputName(file) });
  });
}

const exitCodes = `Exit codes: 0 every operation would succeed, 1 usage error or no connection, 2 the file is invalid,
3 the plan failed, 4 some operations would fail, 5 there are changes (with --exit-code),
7 refused (with --refuse).`;
