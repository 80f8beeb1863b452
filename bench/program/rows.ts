import { arch, cpus, totalmem } from "node:os";

/** The databases that are measured: a server of its own, and the two embedded ones. */
export const engines = ["postgresql", "native", "pglite"] as const;

/** The options that most programs of the bench have. */
export const engineOption = { default: [...engines], meaning: "the databases" };
export const jsonOption = { default: false, meaning: "prints the figures as JSON" };

/** One measured run. What was not measured is null. Files of results are flat arrays of these. */
export interface Row {
  /** ISO 8601. */
  date: string;
  /** Version of Node. */
  node: string;
  /** Cores, memory and architecture. */
  machine: string;
  engine: (typeof engines)[number];
  workload: string;
  /** The name of the run within its workload, such as "create". */
  run: string;
  operations: number;
  /** Operations a second. */
  rate: number | null;
  /**
   * Operations a second of the fastest floor, and which it was. It writes a log row for each operation, as the service
   * did at commit 9a07447, so that shares of it stay comparable.
   */
  floor: number | null;
  way: string | null;
  /** `rate / floor`. */
  ratio: number | null;
  /** The same of the floor that writes the rows of today, with the log in blocks. */
  todaysFloor?: number | null;
  todaysRatio?: number | null;
  /** GraphQL mutations a second, each sent when the one before is answered. */
  oneByOne: number | null;
  /** Plain transactions a second that write what those mutations wrote. */
  plain: number | null;
  /** Milliseconds from the start of a task of 100 such operations to the first log entry that a client sees. */
  firstEntryMs: number | null;
  peakMiB: number | null;
  /** CPU time an operation of the service, validation included, and of the database server, in microseconds. */
  serviceCpuUs?: number | null;
  databaseCpuUs?: number | null;
  /** Further figures of a workload: a heading with its unit, and a number. */
  figures?: Record<string, number>;
}

/** The time and the machine of a measurement. */
export function environment(): Pick<Row, "date" | "node" | "machine"> {
  const memory = Math.round(totalmem() / 1024 ** 3);
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: `${cpus().length} cores, ${memory} GiB, ${arch()}`,
  };
}

/** Formats a number, the smaller the more decimal places: 5,958; 12.3; 0.547. */
export function rounded(value: number): number {
  const places = Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 1 : 0;
  return Number(value.toFixed(places));
}

/** Prints the rows as JSON, with nothing else on standard output, or as a table. */
export function print(rows: readonly Row[], json: boolean): void {
  if (json) console.log(JSON.stringify(rows, null, 2));
  else
    console.table(
      rows.map(({ date: _, node: __, machine: ___, figures, ...row }) => ({ ...row, ...figures })),
    );
}

/**
 * Reads the rows that a program printed as JSON. Lines before and after them are not its own: npm writes what it runs,
 * and services write their log.
 */
export function readRows(printed: string): Row[] {
  const json = /^\[$.*?^\]$/ms.exec(printed)?.[0];
  if (json === undefined) throw new Error(`no rows were printed, but: ${printed.slice(0, 200)}`);
  return JSON.parse(json) as Row[];
}

/** Checks the names of databases that a program was given; throws for any other. */
export function enginesOf(names: readonly string[]): Row["engine"][] {
  return names.map((name) => {
    const engine = engines.find((each) => each === name);
    if (engine === undefined) throw new Error(`no database is called ${name}: ${engines.join(", ")}`);
    return engine;
  });
}
