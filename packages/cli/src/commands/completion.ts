import { basename } from "node:path";
import { Argument, Command } from "commander";
import { type Context, json, line } from "../context.ts";
import { type ServiceFlags, withExamples, withService } from "../options.ts";
import { keptTenants } from "../service/credentials.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

interface Flags extends ServiceFlags {
  tenants?: boolean;
}

/** `lading completion [shell]`: a script that completes commands, options and their values. */
export function command(context: Context, everything: () => Promise<Command>): Command {
  const completion = new Command("completion")
    .description("Prints a script that completes lading's commands, options and values in your shell.")
    .addArgument(new Argument("[shell]", "default: that of SHELL, else bash").choices(shells))
    .option("--tenants", "print the tenants that the script completes: those with a saved token for --url")
    .action(async (shell: Shell | undefined, flags: Flags) => {
      if (flags.tenants) return printTenants(context, flags);
      const script = await makeScript(shell ?? userShell(), await everything());
      if (flags.json) json(context.stdout, { shell: shell ?? userShell(), script });
      else context.stdout.write(script);
    });
  return withExamples(
    withService(completion),
    "source <(lading completion bash)                                         # in ~/.bashrc",
    "source <(lading completion zsh)                                          # in ~/.zshrc, after compinit",
    "lading completion fish > ~/.config/fish/completions/lading.fish",
  );
}

/** A name that is safe in a list of words: bash expands what it completes. */
const safeName = /^\w[\w.-]*$/;

function printTenants({ stdout }: Context, flags: Flags): void {
  const tenants = keptTenants(flags.url).filter((name) => safeName.test(name));
  if (flags.json) json(stdout, tenants);
  else for (const tenant of tenants) line(stdout, tenant);
}

function userShell(): Shell {
  const name = basename(process.env.SHELL ?? "");
  return shells.find((shell) => shell === name) ?? "bash";
}

async function makeScript(shell: Shell, root: Command): Promise<string> {
  const [{ completedCommands }, { intentNames }] = await Promise.all([
    import("../completion/words.ts"),
    import("@lading/schema/internal"),
  ]);
  return (await scripts[shell]())(
    completedCommands(root, { "--intent": intentNames, "--tenant": "tenants" }),
  );
}

const scripts = {
  bash: async () => (await import("../completion/bash.ts")).bashScript,
  zsh: async () => (await import("../completion/zsh.ts")).zshScript,
  fish: async () => (await import("../completion/fish.ts")).fishScript,
};
