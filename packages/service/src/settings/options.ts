import { didYouMeanOneOf, nearest } from "@lading/schema/internal";
import {
  allSettings,
  refusal,
  type S3Options,
  type ServiceOptions,
  type Setting,
  s3Settings,
  settings,
  settingText,
  targetS3Settings,
  variablesOf,
} from "./settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Table = Readonly<Record<string, Setting>>;
type Values = Readonly<Record<string, unknown>>;

/**
 * Reads the options of a service from `LADING_…` variables, secrets also from the files that `LADING_…_FILE` names.
 * Ignores empty variables.
 * @throws Error that names the invalid variable and says what is valid
 */
export function serviceOptions(environment: Environment): ServiceOptions {
  const s3 = s3Options(environment, s3Settings);
  const options: ServiceOptions = fromEnvironment(settings, environment);
  return s3 === undefined ? options : { ...options, s3 };
}

/** Reads the bucket to move uploads to; undefined if none is named. @throws Error as `serviceOptions` */
export const targetS3Options = (environment: Environment): S3Options | undefined =>
  s3Options(environment, targetS3Settings);

type S3Table = Readonly<Record<keyof typeof targetS3Settings, Setting>>;

/** Uploads go to S3 if a bucket is named; without one, any other S3 setting is a mistake. */
function s3Options(environment: Environment, table: S3Table): S3Options | undefined {
  const { bucket, ...others }: Partial<S3Options> = fromEnvironment(table, environment);
  if (bucket === undefined) {
    if (Object.keys(others).length === 0) return undefined;
    throw new Error(
      `${table.bucket.variable} is missing: the other settings of S3 have no effect without it`,
    );
  }
  if ((others.accessKeyId === undefined) !== (others.secretAccessKey === undefined))
    throw new Error(
      `Set both ${table.accessKeyId.variable} and ${table.secretAccessKey.variable}, or neither of them`,
    );
  return { bucket, ...others };
}

/** Reads the values of a table that are set; each has its kind's type. */
function fromEnvironment(table: Table, environment: Environment): Values {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(table)) {
    const text = settingText(setting, environment);
    if (text === undefined) continue;
    values[name] = setting.kind.read(text);
    check(setting, values[name], setting.variable);
  }
  return values;
}

/** @throws Error that names the option that a service cannot be started with, and says what is valid */
export function checkOptions({ s3, ...options }: ServiceOptions): void {
  checkAll(settings, options);
  checkAll(s3Settings, s3 ?? {}, "s3.");
  const { role = settings.role.default, databaseUrl, memory, engine } = options;
  if (memory) checkMemory(options);
  if (databaseUrl !== undefined && engine !== undefined) throw excluding("engine", "databaseUrl");
  checkProvider(options);
  if (role !== "all" && databaseUrl === undefined)
    throw new Error(
      `role ${role} needs a database URL: the embedded database belongs to one process, which does all`,
    );
}

/** The issuer, the client and its secret come together. */
function checkProvider(options: ServiceOptions): void {
  const names = ["oidcIssuer", "oidcClientId", "oidcClientSecret"] as const;
  const missing = names.filter((name) => options[name] === undefined);
  if (missing.length === 0 || missing.length === names.length) return;
  const variables = missing.map((name) => settings[name].variable).join(" and ");
  throw new Error(`Signing in at a provider also needs ${variables}; set all of the three, or none of them`);
}

/** A service in memory cannot have a data folder. */
function checkMemory(options: ServiceOptions): void {
  for (const name of ["dataDir", "databaseUrl"] as const)
    if (options[name] !== undefined) throw excluding("memory", name);
  if (options.engine === "native")
    throw new Error(`engine native keeps its data in files: leave out memory (${settings.memory.variable})`);
}

const excluding = (one: keyof typeof settings, other: keyof typeof settings) =>
  new Error(
    `${one} and ${other} exclude each other: set one of them ` +
      `(${settings[one].variable}, ${settings[other].variable})`,
  );

function checkAll(table: Table, values: Values, prefix = ""): void {
  for (const [name, setting] of Object.entries(table))
    if (values[name] !== undefined) check(setting, values[name], `${prefix}${name}`);
}

function check({ kind, secret }: Setting, value: unknown, name: string): void {
  if (kind.accepts(value)) return;
  throw new Error(refusal(name, value, kind, secret));
}

const prefix = "LADING_";

const withoutPrefix = (name: string) => name.slice(prefix.length);

/**
 * Finds `LADING_…` variables that are set but not read by anything: one sentence each, with the nearest known name.
 * `others` are variables read in addition to the service's.
 */
export function unknownVariables(environment: Environment, others: readonly string[]): string[] {
  const variables = [...allSettings.flatMap(variablesOf), ...others];
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && environment[name] && !variables.includes(name))
    .sort()
    .map((name) => {
      // Compared without the prefix, which would make any two short names similar.
      const near = nearest(withoutPrefix(name), variables.map(withoutPrefix), 1);
      const advice = didYouMeanOneOf(near.map((variable) => `${prefix}${variable}`));
      return `${name} is not a setting and has no effect${advice === undefined ? "" : `; ${advice}`}`;
    });
}
