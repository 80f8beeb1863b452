import { settings } from "@lading/service/settings";
import { type Command, InvalidArgumentError, Option } from "commander";
import { variables } from "./environment.ts";

/** The address of a service that is started without options. */
export const defaultUrl = `http://${settings.host.default}:${settings.port.default}`;

/** An option that may be repeated; its value is the list of what was given. `none` describes an empty one. */
export const repeatable = (flags: string, about: string, none = "none"): Option =>
  new Option(flags, `${about}; may be repeated`)
    .argParser((value, before: readonly string[]) => [...before, value])
    .default([], none);

/** Adds to an option's description that its command needs it. */
export const markRequired = ({ mandatory }: Option, description: string): string =>
  mandatory ? `${description} (required)` : description;

export interface CommonFlags {
  /** False with `--no-interactive`: no questions are asked. */
  interactive: boolean;
  json?: boolean;
  quiet?: boolean;
}

export interface ServiceFlags extends CommonFlags {
  url: string;
}

export interface TokenFlags extends ServiceFlags {
  tokenId?: string;
  tokenSecret?: string;
}

/** The options of commands that act for a tenant without naming it as an argument. */
export interface TenantFlags extends TokenFlags {
  tenant?: string;
}

export interface OperatorFlags extends ServiceFlags {
  operatorToken?: string;
  dataDir: string;
}

const commonOptions = () => [
  new Option("--json", "print JSON, for machines"),
  new Option("--no-interactive", "never ask, no progress bar (for CI)"),
  new Option("-q, --quiet", "print results and errors only: no progress, no notes"),
];

export function withCommon(command: Command): Command {
  for (const option of commonOptions()) command.addOption(option);
  return command;
}

/** Adds the option of commands that print problems by cause. */
export const withAll = (command: Command): Command =>
  command.option("--all", "print each problem, not the first three of each cause");

/** Adds the option of commands that print a plan for a comment. */
export const withMarkdown = (command: Command): Command =>
  command.addOption(
    new Option(
      "--markdown",
      "print the plan as markdown, for a comment of at most 60,000 characters",
    ).conflicts("json"),
  );

/** Lets a group of commands take the options that every command has; `takeGlobal` hands them to the command. */
export const withGlobal = (group: Command): Command => withCommon(group.enablePositionalOptions());

/** Passes the common options before a command on to it. */
export function takeGlobal(command: Command): void {
  for (let group = command.parent; group !== null; group = group.parent)
    for (const option of commonOptions()) {
      const name = option.attributeName();
      if (group.getOptionValueSource(name) === "cli")
        command.setOptionValueWithSource(name, group.getOptionValue(name), "cli");
    }
}

/** Lets a variable stand in for an option. An empty variable counts as unset, as it does for the service. */
function withVariable(
  option: Option,
  variable: string,
  read: (text: string) => string = (text) => text,
): Option {
  return option
    .env(variable)
    .argParser((text, before) => (text === "" && process.env[variable] === "" ? before : read(text)));
}

export function withService(command: Command): Command {
  return withCommon(
    command.addOption(
      withVariable(new Option("--url <url>", "the service").default(defaultUrl), variables.url, serviceUrl),
    ),
  );
}

export function withToken(command: Command): Command {
  return withService(
    command
      .addOption(withVariable(new Option("--token-id <id>", "access token"), variables.tokenId))
      .addOption(
        withVariable(new Option("--token-secret <secret>", "access token's secret"), variables.tokenSecret),
      ),
  );
}

/** Adds the options that name the service and the token of a second tenant. */
export function withOtherToken(command: Command): Command {
  const options = [
    {
      flags: "--to-url <url>",
      about: "the second tenant's service (default: that of --url)",
      variable: variables.toUrl,
    },
    {
      flags: "--to-token-id <id>",
      about: "access token of the second tenant",
      variable: variables.toTokenId,
    },
    { flags: "--to-token-secret <secret>", about: "its secret", variable: variables.toTokenSecret },
  ];
  for (const { flags, about, variable } of options)
    command.addOption(
      variable === variables.toUrl
        ? withVariable(new Option(flags, about), variable, serviceUrl)
        : withVariable(new Option(flags, about), variable),
    );
  return command;
}

/** The `--tenant` option; its default is found by the saved tokens. */
export function withTenant(
  command: Command,
  meaning = "the task's tenant (default: found by the saved tokens)",
): Command {
  return withToken(
    command.addOption(withVariable(new Option("--tenant <tenant>", meaning), variables.tenant)),
  );
}

export function withOperator(
  command: Command,
  dataDir = "the service's data folder, to read the operator's token from",
): Command {
  return withService(
    command
      .addOption(
        withVariable(
          new Option("--operator-token <token>", "the operator's token"),
          settings.operatorToken.variable,
        ),
      )
      .addOption(
        withVariable(
          new Option("--data-dir <folder>", dataDir).default(settings.dataDir.default),
          settings.dataDir.variable,
        ),
      ),
  );
}

const detailsByCommand = new WeakMap<Command, string>();

export function withDetails(command: Command, text: string): Command {
  detailsByCommand.set(command, text);
  return command.addHelpText("after", `\n${text}`);
}

export function detailsOf(command: Command): string | undefined {
  return detailsByCommand.get(command);
}

const examplesByCommand = new WeakMap<Command, readonly string[]>();

/** Adds examples to the help of a command: command lines, each with a comment behind a `#` where it needs one. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  examplesByCommand.set(command, examples);
  return command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}\n`).join("")}`);
}

export function examplesOf(command: Command): readonly string[] {
  return examplesByCommand.get(command) ?? [];
}

/** Normalizes the address of a service to the form that credentials are kept under: without a slash at its end. */
function serviceUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError(`"${text}" is not an http:// or https:// address, such as ${defaultUrl}.`);
  }
  return new URL(text).href.replace(/\/+$/, "");
}
