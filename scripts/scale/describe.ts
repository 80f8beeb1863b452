import type { Needs } from "./needs.ts";

/** Formats bytes with a unit of decimal kind: 1.5 GB. */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let [value, unit] = [bytes, 0];
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000;
  return `${numberText(value)} ${units[unit]}`;
}

/** Formats a number, the smaller the more decimal places: 5,958; 12.3; 0.55; below 0.01. */
export function numberText(value: number): string {
  if (value > 0 && value < 0.01) return "below 0.01";
  const maximumFractionDigits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits });
}

const processes = (count: number, cores: number) =>
  `${numberText(count)} ${count === 1 ? "process" : "processes"}, ${numberText(cores)} cores`;

/** The lines of a table of needs: what, and how much. */
export const needLines: readonly [what: string, text: (needs: Needs) => string][] = [
  ["Operations a day", ({ operationsADay }) => numberText(operationsADay)],
  ["Operations a second, busiest hour", ({ peakOperations }) => numberText(peakOperations)],
  ["Requests a second, busiest hour", ({ peakRequests }) => numberText(peakRequests)],
  ["Runners", ({ runnerProcesses, runnerCores }) => processes(runnerProcesses, runnerCores)],
  ["API", ({ apiProcesses, apiCores }) => processes(apiProcesses, apiCores)],
  ["CPU of the database", ({ databaseCores }) => `${numberText(databaseCores)} cores`],
  ["Write-ahead log a day", ({ walADay }) => bytesText(walADay)],
  ["Storage: operation log", ({ logStorage }) => bytesText(logStorage)],
  ["Storage: everything else", ({ dataStorage }) => bytesText(dataStorage)],
  ["Storage: uploaded files", ({ uploadStorage }) => bytesText(uploadStorage)],
  ["Requests to S3 a day", ({ s3RequestsADay }) => numberText(s3RequestsADay)],
  ["Connections to the database", ({ connections }) => numberText(connections)],
  ["Databases", ({ databases }) => numberText(databases)],
];
