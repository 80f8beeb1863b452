import { basename } from "node:path";
import { Argument, Command } from "commander";
import { type Context, json } from "../context.ts";
import { type CommonFlags, withCommon, withExamples } from "../options.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** `lading completion [shell]`: a script that completes commands and options. */
export function command(context: Context, everything: () => Promise<Command>): Command {
  const completion = new Command("completion")
    .description("Prints a script that completes lading's commands and options in your shell.")
    .addArgument(new Argument("[shell]", "default: that of SHELL, else bash").choices(shells))
    .action(async (shell: Shell | undefined, flags: CommonFlags) => {
      const script = await makeScript(shell ?? userShell(), await everything());
      if (flags.json) json(context.stdout, { shell: shell ?? userShell(), script });
      else context.stdout.write(script);
    });
  return withExamples(
    withCommon(completion),
    "source <(lading completion bash)                                         # in ~/.bashrc",
    "source <(lading completion zsh)                                          # in ~/.zshrc, after compinit",
    "lading completion fish > ~/.config/fish/completions/lading.fish",
  );
}

function userShell(): Shell {
  const name = basename(process.env.SHELL ?? "");
  return shells.find((shell) => shell === name) ?? "bash";
}

async function makeScript(shell: Shell, root: Command): Promise<string> {
  const [{ completedCommands }, { intentNames }] = await Promise.all([
    import("../completion/words.ts"),
    import("@lading/schema"),
  ]);
  return (await scripts[shell]())(completedCommands(root, { "--intent": intentNames }));
}

const scripts = {
  bash: async () => (await import("../completion/bash.ts")).bashScript,
  zsh: async () => (await import("../completion/zsh.ts")).zshScript,
  fish: async () => (await import("../completion/fish.ts")).fishScript,
};
