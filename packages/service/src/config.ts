import { nearest } from "@lading/schema";
import type { S3Options, ServiceOptions } from "./config/options.ts";
import { allSettings, type Setting, s3Settings, settings } from "./config/settings.ts";

export { type Role, roles, type S3Options, type ServiceOptions } from "./config/options.ts";
export { allSettings, type Setting } from "./config/settings.ts";

type Environment = Record<string, string | undefined>;

/**
 * Options from the environment; `LADING_…` variables, empty ones do not count.
 * @throws Error that names the variable which has no such value, and what would be right
 */
export function serviceOptions(environment: Environment): ServiceOptions {
  const s3 = fromEnvironment<S3Options>(s3Settings, environment);
  return { ...fromEnvironment<ServiceOptions>(settings, environment), ...(s3 && { s3: checkedS3(s3) }) };
}

/** The options of a table that are set; undefined when none is. */
function fromEnvironment<Options>(
  table: Readonly<Record<string, Setting>>,
  environment: Environment,
): Options | undefined {
  const set = Object.entries(table).flatMap(([option, setting]) => {
    const text = environment[setting.variable];
    if (!text) return [];
    const value = setting.kind.read(text);
    check(setting, value, setting.variable);
    return [[option, value]];
  });
  return set.length > 0 ? (Object.fromEntries(set) as Options) : undefined;
}

/** @throws Error that names the option which no service can be started with, and what would be right */
export function checkOptions({ s3, ...options }: ServiceOptions): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && name in settings) check(settings[name as keyof typeof settings], value, name);
  for (const [name, value] of Object.entries(s3 ?? {}))
    if (value !== undefined) check(s3Settings[name as keyof S3Options], value, `s3.${name}`);
  const { role = "all", databaseUrl } = options;
  if (role !== "all" && databaseUrl === undefined)
    throw new Error(
      `role ${role} needs a database URL: the embedded database belongs to one process, which does all`,
    );
}

function check({ kind, secret }: Setting, value: unknown, name: string): void {
  if (kind.accepts(value)) return;
  throw new Error(`${name} ${secret ? "is wrong" : `is ${JSON.stringify(value)}`}; it must be ${kind.right}`);
}

/** A bucket makes it S3; any other of its settings without one is a mistake. */
function checkedS3(s3: S3Options): S3Options {
  if (s3.bucket === undefined)
    throw new Error("LADING_S3_BUCKET is missing: the other settings of S3 are of no use without it");
  if ((s3.accessKeyId === undefined) !== (s3.secretAccessKey === undefined))
    throw new Error("Set both LADING_S3_ACCESS_KEY_ID and LADING_S3_SECRET_ACCESS_KEY, or none of them");
  return s3;
}

const prefix = "LADING_";

const withoutPrefix = (name: string) => name.slice(prefix.length);

/**
 * A sentence for each `LADING_…` variable that is set and stands for nothing, with the nearest name that does.
 * `others` are the names that are known besides those of the service.
 */
export function unknownVariables(environment: Environment, others: readonly string[]): string[] {
  const known = [...allSettings.map(({ variable }) => variable), ...others];
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && environment[name] && !known.includes(name))
    .sort()
    .map((name) => {
      const [meant] = nearest(withoutPrefix(name), known.map(withoutPrefix), 1);
      const hint = meant === undefined ? "" : `; did you mean ${prefix}${meant}?`;
      return `${name} is no setting and has no effect${hint}`;
    });
}
