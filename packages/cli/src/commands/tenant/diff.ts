import { Command } from "commander";
import type { Context } from "../../context.ts";
import type { DiffFlags } from "../../operation-file/diff/run.ts";
import { withDetails, withExamples, withOtherToken, withToken } from "../../options.ts";

/** `lading tenant diff <tenant> <other> [file]`: the operations that make one tenant like another one. */
export function command(context: Context): Command {
  const diff = new Command("diff")
    .description(
      "Compares two tenants, or dumps of them; writes a mass operation file that makes the first like the second.",
    )
    .argument("<tenant>", "the tenant that the file changes, or the file of a dump")
    .argument("<other>", "the tenant to match, or the file of a dump")
    .argument("[file]", "the file to write, - is standard output (default: the summary alone)")
    .option("--delete", "also delete what only the first tenant has")
    .option("--only <kind...>", "compare only these kinds, such as items")
    .option("--without <kind...>", "compare all kinds except these, such as orders customers contracts")
    .option("--exit-code", "exit with 5 if they differ")
    .option("--force", "replace the file if it exists")
    .action(async (tenant: string, other: string, file: string | undefined, flags: DiffFlags) => {
      // Loaded only here: the help of all commands does not need it.
      const { diffTenants } = await import("../../operation-file/diff/run.ts");
      await diffTenants(context, tenant, other, file, flags);
    });
  return withExamples(
    withDetails(withOtherToken(withToken(diff)), details),
    "lading tenant diff staging production",
    "lading tenant diff acme acme.json --exit-code   # has acme changed since that dump?",
    "lading tenant diff production staging changes.json --without orders customers contracts",
    "LADING_TO_ACCESS_TOKEN_SECRET=… lading tenant diff acme acme --to-url https://staging.example.com - --delete",
  );
}

const details = `A side with a dot or a slash is a file that \`lading tenant dump\` wrote; any other is a tenant, and needs an admin's
token. If the second one is on another service, give --to-url and --to-token-id.
Kinds are those of \`lading tenant dump\`. Exit codes: 0 compared, 1 usage error or incomplete dump,
5 there are differences (with --exit-code). docs/tenant-file.md says what is compared, and by which keys.`;
