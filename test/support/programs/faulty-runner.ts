import { once } from "node:events";
import { startService } from "../../../packages/service/src/index.ts";

/**
 * A runner in a process of its own. Just before it commits the batch with this number (from 1; the end of a validation
 * counts as one) it notifies its parent, and continues at a message from it.
 */
const [dataDir = "", databaseUrl, batch] = process.argv.slice(2);
let commits = 0;
const at = async (point: string) => {
  if (point !== "before commit" || ++commits !== Number(batch)) return;
  process.send?.("committing");
  await once(process, "message");
};
const options = { port: 0, dataDir, databaseUrl, logLevel: "silent", role: "runner", lease: 1_000 } as const;
await startService(options, { faults: { at } });
process.send?.("ready");
