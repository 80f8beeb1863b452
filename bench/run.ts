import { mkdtemp, rm } from "node:fs/promises";
import { arch, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Database } from "../packages/service/src/storage/database.ts";
import { openPglite } from "../packages/service/src/storage/pglite.ts";
import { openPostgres } from "../packages/service/src/storage/postgres.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { type Floor, measureFloors } from "./floor.ts";
import { oneByOne } from "./one-by-one.ts";
import { type MeasuredService, startMeasured } from "./service.ts";
import { runFile } from "./tasks.ts";
import { preparation, productFile } from "./workload.ts";

const { values } = parseArgs({
  options: {
    products: { type: "string", default: "20000" },
    engine: { type: "string", multiple: true, default: ["postgresql", "pglite"] },
    single: { type: "string", default: "1000" },
    json: { type: "boolean", default: false },
  },
});
const products = Number(values.products);

interface Row {
  engine: string;
  run: string;
  "ops/s": number;
  "floor ops/s": number;
  "of floor": string;
  "fastest floor": string;
  "one by one/s": number | null;
  "times one by one": number | null;
  "first entry ms": number;
  "peak MiB": number;
}

/** One engine from an empty folder: creates, updates, the same one by one, and the floors of both. */
async function measure(engine: string): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"));
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  try {
    const service = await startMeasured(folder, server?.url, undefined);
    const create = await measureRun(service, 0);
    const update = await measureRun(service, 1);
    const single = await oneByOne(service, Number(values.single), 2);
    await service.stop();
    const database = await open(folder, server?.url);
    const floors = await measureFloors(database, service.access.tenant.id, update.taskId);
    await database.close();
    return [
      row({ engine, run: "create" }, create, floors.insert, null),
      row({ engine, run: "update" }, update, floors.update, single),
    ];
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Run {
  taskId: string;
  rate: number;
  firstEntry: number;
  peakBytes: number;
}

async function measureRun(service: MeasuredService, round: number): Promise<Run> {
  const small = await runFile(service, productFile(100 - preparation.length, round));
  const { taskId, operations, seconds } = await runFile(service, productFile(products, round));
  const peakBytes = await service.peakBytes();
  return { taskId, rate: operations / seconds, firstEntry: small.firstEntry, peakBytes };
}

function row(name: { engine: string; run: string }, run: Run, floor: Floor, single: number | null): Row {
  const { engine } = name;
  console.error(
    `${engine}: ${Math.round(run.rate)} operations/s, floor ${Math.round(floor.rate)} (${floor.way})`,
  );
  return {
    ...name,
    "ops/s": Math.round(run.rate),
    "floor ops/s": Math.round(floor.rate),
    "of floor": (run.rate / floor.rate).toFixed(2),
    "fastest floor": floor.way,
    "one by one/s": single && Math.round(single),
    "times one by one": single && Math.round(run.rate / single),
    "first entry ms": Math.round(run.firstEntry),
    "peak MiB": Math.round(run.peakBytes / 1024 ** 2),
  };
}

const open = async (folder: string, url: string | undefined): Promise<Database> =>
  url === undefined ? openPglite(join(folder, "database")) : openPostgres(url);

const rows: Row[] = [];
for (const engine of values.engine) rows.push(...(await measure(engine)));
if (values.json) console.log(JSON.stringify(rows, null, 2));
else {
  const memory = Math.round(totalmem() / 1024 ** 3);
  console.log(
    `${products} product upserts; Node ${process.version}, ${cpus().length} cores, ${memory} GiB, ${arch()}`,
  );
  console.table(rows);
}
