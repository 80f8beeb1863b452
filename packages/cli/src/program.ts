import { Command } from "commander";
import manifest from "../package.json" with { type: "json" };
import { followCommand } from "./commands/mass-operation/follow.ts";
import { runCommand } from "./commands/mass-operation/run.ts";
import { validateCommand } from "./commands/mass-operation/validate.ts";
import { serveCommand } from "./commands/serve.ts";
import { createTenantCommand } from "./commands/tenant/create.ts";
import type { Context } from "./context.ts";

/** The command line: every command with its options. Actions work with `context`; wrong use throws CommanderError. */
export function program(context: Context): Command {
  const root = group("lading", "A mass operations service for headless commerce, and its client.")
    .version(manifest.version)
    .addCommand(serveCommand(context))
    .addCommand(
      group("tenant", "Tenants of a service, for its operator.").addCommand(createTenantCommand(context)),
    )
    .addCommand(
      group("mass-operation", "Files of operations: check them, carry them out.")
        .addCommand(validateCommand(context))
        .addCommand(runCommand(context))
        .addCommand(followCommand(context)),
    );
  settle(root, context);
  return root;
}

function group(name: string, description: string): Command {
  return new Command(name).description(description);
}

/** Commander's settings are inherited only by commands that it makes itself; ours are made by their own files. */
function settle(command: Command, context: Context): void {
  command
    .exitOverride()
    .showHelpAfterError("(add --help for the options)")
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
    });
  for (const child of command.commands) settle(child, context);
}
