import { type Context, plain } from "./context.ts";
import { CliError, exitCode } from "./exit.ts";
import type { CommonFlags } from "./options.ts";

/** Returns true when questions can be asked: a terminal at both ends, and no `--no-interactive`. */
export function mayAsk({ stdin, stdout }: Context, { interactive, json }: CommonFlags): boolean {
  return interactive && json !== true && stdin.isTTY === true && stdout.isTTY === true;
}

// The prompts are loaded only when something is asked: most commands never do.
const prompts = () => import("@clack/prompts");

/** Asks for a line of text. Ctrl-C leaves this and every other question, and ends the command. */
export async function askText(message: string, placeholder?: string): Promise<string> {
  const { text } = await prompts();
  return answered(
    await text({ message: plain(message), validate: required, ...(placeholder && { placeholder }) }),
  );
}

/** Asks for a secret, without showing what is typed. */
export async function askSecret(message: string): Promise<string> {
  const { password } = await prompts();
  return answered(await password({ message: plain(message), validate: required }));
}

/** Asks a question that is answered by yes or no. Default: no. */
export async function askWhether(message: string): Promise<boolean> {
  const { confirm } = await prompts();
  return answered(await confirm({ message: plain(message), initialValue: false }));
}

/** Asks for one or more choices, filtered by typing. */
export async function askWhich(
  message: string,
  choices: readonly { value: string; hint: string }[],
): Promise<string[]> {
  const { autocompleteMultiselect } = await prompts();
  const options = choices.map(({ value, hint }) => ({ value, hint: plain(hint), label: plain(value) }));
  return answered(
    await autocompleteMultiselect({ message: plain(message), options, required: true, maxItems: 12 }),
  );
}

const required = (answer: string | undefined) =>
  answer ? undefined : "An answer is required (Ctrl-C cancels).";

/** Returns the answer. The prompts return a symbol for a question that was left; TypeScript keeps it in the type. */
function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (typeof answer !== "symbol") return answer as Exclude<Answer, symbol>;
  throw new CliError("interrupted; nothing was done", exitCode.interrupted);
}
