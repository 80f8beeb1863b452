import { parseArgs } from "node:util";

/** The measured databases: a separate server, and the two embedded ones. */
export const engines = ["postgresql", "native", "pglite"] as const;
export type Engine = (typeof engines)[number];

/** The programs of the bench, each a file of `bench/programs`, by name. */
export const programs: Readonly<Record<string, string>> = {
  throughput: "throughput next to its floor, and one by one",
  plans: "a plan of each file, its run, and the undo of that run",
  million: "a file of a million operations, about 1 GiB: rate, and peak memory",
  latency: "how soon a client sees the first entry of a small task, and every entry of a large one",
  fairness: "how long a few operations of one tenant take while others have millions being read and executed",
  "two-writers": "a task and mutations that write the same rows: each alone, and both together",
  images: "a task whose operations each upload an image of their own from a slow host",
  templates: "the same operations with one reference each, and with its value written out",
  export: "exports of a large tenant: rows a second, and peak memory",
  start:
    "the command as published: CPU time and memory until the service is ready, and of `lading --version`",
  scale: "what operations and requests cost on PostgreSQL: CPU time and bytes",
};

/** The programs that renew the pages, with their options, the shortest first: less than an hour on two idle cores. */
export const renewal: readonly (readonly [name: string, ...options: string[]])[] = [
  ["start", "--runs", "3"],
  ["images"],
  ["scale"],
  ["export"],
  ["latency", "--runs", "3"],
  ["two-writers"],
  ["plans"],
  ["templates", "--operations", "50000"],
  ["fairness"],
  ["million", "--engine", "postgresql", "--engine", "native"],
  ["million", "--plan"],
  ["throughput", "--engine", "postgresql", "--runs", "3"],
  ["throughput", "--engine", "native", "--engine", "pglite"],
];

/** An option of a program. One whose default is a list may be repeated. */
export interface Option {
  default: string | boolean | readonly string[];
  meaning: string;
}

/** One measured run. A figure's name is its column's heading, with the unit. */
export interface Measured {
  /** Defaults to the program's name. */
  workload?: string;
  run: string;
  figures: Readonly<Record<string, number | null>>;
}

/** Options of every program. */
const common = {
  engine: { default: [...engines] as readonly string[], meaning: "the databases" },
  runs: { default: "1", meaning: "repetitions of each measurement; the page has the median and the spread" },
  json: { default: false, meaning: "prints the figures as JSON" },
  save: { default: false, meaning: "replaces these figures in bench/results.json, and updates the pages" },
} as const satisfies Record<string, Option>;

type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name]["default"] extends boolean
    ? boolean
    : Options[Name]["default"] extends readonly string[]
      ? string[]
      : string;
};

/**
 * Reads the options of the program named on the command line. `--help` prints them with their defaults and
 * ends the process. Throws a TypeError for an unknown option.
 */
export function readOptions<Options extends Record<string, Option>>(
  options: Options,
): Values<typeof common & Options> {
  const described: Record<string, Option> = { ...common, ...options };
  const [name = "", ...args] = process.argv.slice(2);
  const { values } = parseArgs({
    args,
    options: {
      ...Object.fromEntries(
        Object.entries(described).map(([name, { default: standard }]) => [
          name,
          {
            type: typeof standard === "boolean" ? ("boolean" as const) : ("string" as const),
            multiple: Array.isArray(standard),
            default: Array.isArray(standard) ? [...standard] : (standard as string | boolean),
          },
        ]),
      ),
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    console.log(helpOf(name, described));
    process.exit();
  }
  return values as Values<typeof common & Options>;
}

export function helpOf(name: string, options: Readonly<Record<string, Option>>): string {
  const lines = Object.entries(options).map(([name, { default: standard, meaning }]) => {
    const begin = typeof standard === "boolean" ? `--${name}` : `--${name} <value>`;
    const repeated = Array.isArray(standard) ? "; may be repeated" : "";
    const otherwise = typeof standard === "boolean" ? "" : ` (default: ${[standard].flat().join(", ")})`;
    return `  ${begin.padEnd(32)} ${meaning}${repeated}${otherwise}`;
  });
  return [`npm run bench -- ${name} [options]`, "", `Measures ${programs[name]}.`, "", ...lines].join("\n");
}

/** Checks the names of databases; throws for any other. */
export function enginesOf(names: readonly string[]): Engine[] {
  return names.map((name) => {
    const engine = engines.find((each) => each === name);
    if (engine === undefined) throw new Error(`no --engine ${name}: ${engines.join(", ")}`);
    return engine;
  });
}
