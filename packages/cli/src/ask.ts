import type { Context } from "./context.ts";
import { CliError, exitCode } from "./exit.ts";
import type { CommonFlags } from "./options.ts";

/** Whether somebody is there to answer: a terminal at both ends, and no `--no-interactive`. */
export function mayAsk({ stdin, stdout }: Context, { interactive, json }: CommonFlags): boolean {
  return interactive && json !== true && stdin.isTTY === true && stdout.isTTY === true;
}

// The prompts are loaded only when something is asked: most commands never do.
const prompts = () => import("@clack/prompts");

/** Asks for a line of text. Like all questions it may be left with Ctrl-C, which ends the command. */
export async function askText(message: string, placeholder?: string): Promise<string> {
  const { text } = await prompts();
  return answered(await text({ message, validate: required, ...(placeholder && { placeholder }) }));
}

/** Asks for what is not to be seen. */
export async function askSecret(message: string): Promise<string> {
  const { password } = await prompts();
  return answered(await password({ message, validate: required }));
}

export async function askWhether(message: string): Promise<boolean> {
  const { confirm } = await prompts();
  return answered(await confirm({ message, initialValue: false }));
}

/** Asks for one or more of many choices, which can be searched by typing. */
export async function askWhich(
  message: string,
  choices: readonly { value: string; hint: string }[],
): Promise<string[]> {
  const { autocompleteMultiselect } = await prompts();
  const options = choices.map(({ value, hint }) => ({ value, hint, label: value }));
  return answered(await autocompleteMultiselect({ message, options, required: true, maxItems: 12 }));
}

const required = (answer: string | undefined) => (answer ? undefined : "An answer is needed (Ctrl-C ends).");

/** The prompts answer a question that was left with a symbol. */
function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (typeof answer !== "symbol") return answer as Exclude<Answer, symbol>;
  throw new CliError("ended, nothing was done", exitCode.interrupted);
}
