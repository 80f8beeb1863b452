import { databaseWithFaults, type FaultPoint } from "../../../packages/service/src/app/fault-injection.ts";
import { startMovingOldLogs } from "../../../packages/service/src/runner/schedule/old-log-mover.ts";
import { openPglite } from "../../../packages/service/src/storage/engines/pglite.ts";
import { openPostgres } from "../../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../../packages/service/src/storage/migrate.ts";
import { silent } from "../runner.ts";

/**
 * Moves the old log of a database (the URL of a server, or a folder) in a process of its own, which kills itself at the
 * point of a transaction with this number (from 1).
 */
const [where = "", point, number] = process.argv.slice(2);
let passed = 0;
const at = async (reached: FaultPoint) => {
  if (reached === point && ++passed === Number(number)) process.kill(process.pid, "SIGKILL");
};
const database = where.startsWith("postgres") ? openPostgres(where) : await openPglite(where);
await migrate(database);
startMovingOldLogs({ database: databaseWithFaults(database, { at }), logger: silent });
