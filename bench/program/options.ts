import { parseArgs } from "node:util";

/** An option of a program of the bench. One whose default is a list may be given several times. */
export interface Option {
  default: string | boolean | readonly string[];
  meaning: string;
}

type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name]["default"] extends boolean
    ? boolean
    : Options[Name]["default"] extends readonly string[]
      ? string[]
      : string;
};

/**
 * Reads the options of a program, whose script of npm is named. `--help` prints them with their defaults and ends the
 * process. Throws a TypeError for an option that the program does not have.
 */
export function readOptions<Options extends Record<string, Option>>(
  script: string,
  purpose: string,
  options: Options,
): Values<Options> {
  const described: Record<string, Option> = {
    ...options,
    help: { default: false, meaning: "prints this, and measures nothing" },
  };
  const { values } = parseArgs({
    options: Object.fromEntries(
      Object.entries(described).map(([name, { default: standard }]) => [
        name,
        {
          type: typeof standard === "boolean" ? ("boolean" as const) : ("string" as const),
          multiple: Array.isArray(standard),
          default: Array.isArray(standard) ? [...standard] : (standard as string | boolean),
        },
      ]),
    ),
  });
  if (values.help) {
    console.log(helpOf(script, purpose, described));
    process.exit();
  }
  return values as Values<Options>;
}

/** The text of `--help`. */
export function helpOf(script: string, purpose: string, options: Readonly<Record<string, Option>>): string {
  const lines = Object.entries(options).map(([name, { default: standard, meaning }]) => {
    const begin = typeof standard === "boolean" ? `--${name}` : `--${name} <value>`;
    const repeated = Array.isArray(standard) ? "; may be repeated" : "";
    const otherwise = typeof standard === "boolean" ? "" : ` (default: ${[standard].flat().join(", ")})`;
    return `  ${begin.padEnd(32)} ${meaning}${repeated}${otherwise}`;
  });
  return [`npm run ${script} -- [options]`, "", purpose, "", ...lines].join("\n");
}
