import { refusal, type Setting } from "@lading/service/settings";
import { errorMessage } from "@lading/service/thrown";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError } from "../exit.ts";

export function addSettings(command: Command, settings: readonly Setting[]): void {
  for (const setting of settings) if (setting.option) command.addOption(optionOf(setting, setting.option));
}

/** Defaults are only described: a value that commander fills in would win over the environment. */
function optionOf({ kind, secret, ...setting }: Setting, flags: string): Option {
  const byDefault = setting.default ?? setting.otherwise;
  const notes = [byDefault && `default: ${byDefault}`, `env: ${setting.variable}`].filter(Boolean);
  const option = new Option(flags, `${setting.meaning.replaceAll("`", "")} (${notes.join(", ")})`);
  if (!option.required) return option; // A switch has no value to read.
  if (kind.words) return option.choices(kind.words);
  return option.argParser((text) => {
    const value = kind.read(text);
    if (kind.accepts(value)) return value;
    // Commander's own error would show the value of a secret.
    if (secret) throw new CliError(refusal(option.long ?? flags, value, kind, secret));
    const name = option.name().replaceAll("-", " ");
    throw new InvalidArgumentError(`"${text}" is not a ${name}: it must be ${kind.right}.`);
  });
}

/** Reads settings from their variables. @throws CliError for a wrong value */
export function fromEnvironment<Options>(read: (environment: NodeJS.ProcessEnv) => Options): Options {
  try {
    return read(process.env);
  } catch (error) {
    throw new CliError(errorMessage(error));
  }
}
