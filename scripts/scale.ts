// `npm run scale -- --tenants N --operations M` computes what tenants need; `--help` lists its options.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Load, needLines, needsOf, readCosts } from "./scale/needs.ts";

interface LoadOption {
  field: keyof Load;
  least: number;
  most: number;
  whole: boolean;
  /** Text, or the option whose value it takes; undefined if required. */
  fallback: string | undefined;
  meaning: string;
}

const whole = { least: 0, most: 1e9, whole: true };

/** The options of `npm run scale`, by name. */
const loadOptions: Readonly<Record<string, LoadOption>> = {
  tenants: { ...whole, least: 1, field: "tenants", fallback: undefined, meaning: "tenants" },
  operations: {
    ...whole,
    field: "operations",
    fallback: undefined,
    meaning: "operations per tenant and day",
  },
  requests: { ...whole, field: "requests", fallback: "1000", meaning: "API requests per tenant and day" },
  mutations: {
    ...{ field: "mutations", least: 0, most: 1, whole: false, fallback: "0.1" },
    meaning: "share of the requests that are mutations",
  },
  peak: {
    ...{ field: "peak", least: 1, most: 1_000, whole: false, fallback: "5" },
    meaning: "the busiest hour's rate, as a multiple of the average",
  },
  products: { ...whole, field: "products", fallback: "10000", meaning: "products per tenant at first" },
  days: { ...whole, field: "days", fallback: "365", meaning: "days of the load whose rows are kept" },
  "file-operations": {
    ...{ ...whole, least: 1, field: "fileOperations", fallback: "1000" },
    meaning: "operations per file",
  },
  "retention-days": {
    ...{ ...whole, most: 36_500, field: "retentionDays", fallback: "30" },
    meaning: "days for which logs and files are kept",
  },
};

function helpText(): string {
  const lines = Object.entries(loadOptions).map(
    ([name, { meaning, fallback }]) =>
      `  --${`${name} N`.padEnd(18)} ${meaning}${fallback === undefined ? "" : ` (default: ${fallback})`}`,
  );
  return [
    "npm run scale -- --tenants N --operations N [options]",
    "",
    "Computes what tenants need, from the figures of bench/results.json, with headroom.",
    "",
    ...lines,
    `  --${"json".padEnd(18)} prints JSON: bytes, cores and counts`,
    `  --${"help".padEnd(18)} prints this`,
  ].join("\n");
}

/** The load of a command line, and what to print. @throws Error with one sentence that says what is wrong */
export function readOptions(
  args: readonly string[],
): { help: true } | { help: false; json: boolean; load: Load } {
  const options = Object.fromEntries(
    Object.keys(loadOptions).map((name) => [name, { type: "string" } as const]),
  );
  const flags = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  const { values } = parseArgs({ args: [...args], options: { ...options, ...flags } });
  if (values.help) return { help: true };
  const given: Readonly<Record<string, string | boolean | undefined>> = values;
  const load = { ...emptyLoad };
  for (const [name, option] of Object.entries(loadOptions))
    load[option.field] = numberOf(name, option, given[name] ?? option.fallback);
  return { help: false, json: values.json ?? false, load };
}

const emptyLoad: Load = {
  ...{ tenants: 0, operations: 0, requests: 0, mutations: 0 },
  ...{ peak: 0, products: 0, days: 0, fileOperations: 0, retentionDays: 0 },
};

function numberOf(
  name: string,
  { least, most, whole }: LoadOption,
  text: string | boolean | undefined,
): number {
  if (text === undefined) throw new Error(`--${name} is missing; --help lists the options`);
  const value = Number(text);
  if (text !== "" && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? "a whole number" : "a number";
  throw new Error(`--${name} is "${text}"; it must be ${kind} from ${least} to ${most}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.help) console.log(helpText());
    else {
      const needs = needsOf(options.load, readCosts());
      if (options.json) console.log(JSON.stringify({ load: options.load, needs }, null, 2));
      else for (const [what, text] of needLines) console.log(`${what.padEnd(36)}${text(needs)}`);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
