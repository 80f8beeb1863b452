import { startService } from "../../../packages/service/src/index.ts";

/**
 * A runner in its own process that stalls for some milliseconds before the first write of the transactions with
 * these numbers (from 1; the end of a validation is one).
 */
const [dataDir = "", databaseUrl, milliseconds, ...transactions] = process.argv.slice(2);
let writing = 0;
const at = async (point: string) => {
  if (point !== "before flush" || !transactions.includes(String(++writing))) return;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(milliseconds));
};
const options = { port: 0, dataDir, databaseUrl, logLevel: "silent", role: "runner", lease: 1_000 } as const;
await startService(options, { faults: { at } });
