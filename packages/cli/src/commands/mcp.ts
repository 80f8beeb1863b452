import { Command } from "commander";
import type { Context } from "../context.ts";
import type { McpFlags } from "../mcp/serve.ts";
import { withDetails, withExamples, withToken } from "../options.ts";

/** `lading mcp <tenant>`: a server of the Model Context Protocol, which agents start. */
export function command(context: Context): Command {
  const mcp = new Command("mcp")
    .description("Serves a tenant to agents, by the Model Context Protocol on standard input and output.")
    .argument("<tenant>", "the tenant's identifier")
    .option("--files <folder>", "let agents validate and plan the files of this folder (default: none)")
    .option("--allow-run", "let agents run plans, if the token is an admin's")
    .action(async (tenant: string, flags: McpFlags) => {
      const { serveMcp } = await import("../mcp/serve.ts");
      await serveMcp(context, tenant, flags);
    });
  return withExamples(
    withDetails(withToken(mcp), details),
    "lading mcp acme",
    "lading mcp acme --files . --url https://lading.example.com",
    "lading mcp acme --allow-run",
  );
}

const details = `Ends when its standard input closes. Messages for people are on standard error. docs/mcp.md has the
configuration of clients.`;
