import { join } from "node:path";
import { versionText } from "@lading/service/version";
import { Command, CommanderError, Help } from "commander";
import { type Group, tree } from "./commands/tree.ts";
import type { Context } from "./context.ts";
import { exitCode } from "./exit.ts";
import { docsFolder } from "./mcp/pages.ts";
import { type CommonFlags, markRequired, takeGlobal, withGlobal } from "./options.ts";

/** The commands to make: those that the arguments name, or every one. */
export type Wanted = readonly string[] | "all";

/**
 * Makes the command line. Actions work with `context`; usage errors throw CommanderError. Only the commands that
 * `wanted` may mean are loaded, since loading takes most of the time of a short command.
 */
export async function program(context: Context, wanted: Wanted): Promise<Command> {
  const root = new Command("lading")
    .description(tree.description)
    .option("-V, --version", "output the version, and the commit that it was built from")
    .addHelpText("after", `\nDocumentation: ${join(docsFolder, "README.md")}`);
  root.on("option:version", () => {
    context.stdout.write(`${versionText()}\n`);
    throw new CommanderError(exitCode.success, "commander.version", "");
  });
  const asksVersion = wanted !== "all" && ["-V", "--version"].includes(wanted[0] ?? "");
  if (!asksVersion) await addCommands(withGlobal(root), tree, wanted, context);
  configure(root, context);
  return root.hook("preAction", (_, command) => {
    takeGlobal(command);
    context.quiet = command.opts<CommonFlags>().quiet === true;
  });
}

async function addCommands(parent: Command, group: Group, wanted: Wanted, context: Context): Promise<void> {
  const named = wanted === "all" ? -1 : wanted.findIndex((word) => !word.startsWith("-"));
  const name = wanted === "all" ? undefined : wanted[named];
  const isNamed = name !== undefined && Object.hasOwn(group.commands, name);
  const rest = wanted === "all" || name === "help" ? "all" : isNamed ? wanted.slice(named + 1) : undefined;
  for (const each of isNamed ? [name] : Object.keys(group.commands)) {
    const branch = group.commands[each]!;
    if (typeof branch === "function")
      parent.addCommand((await branch()).command(context, () => program(context, "all")));
    else {
      const child = withGlobal(new Command(each).description(branch.description));
      if (rest !== undefined) await addCommands(child, branch, rest, context);
      parent.addCommand(child);
    }
  }
}

const help = new Help();

/** Configures every command: commander passes settings on only to commands that it makes itself. */
function configure(command: Command, context: Context): void {
  command
    .exitOverride()
    .configureHelp({
      optionDescription: (option) => markRequired(option, help.optionDescription(option)),
    })
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      // `main` prints errors.
      outputError() {},
    });
  for (const child of command.commands) configure(child, context);
}
