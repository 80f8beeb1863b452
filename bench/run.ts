import { mkdtemp, rm } from "node:fs/promises";
import { arch, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Database } from "../packages/service/src/storage/database.ts";
import { openPglite } from "../packages/service/src/storage/pglite.ts";
import { openPostgres } from "../packages/service/src/storage/postgres.ts";
import type { Access } from "../test/support/client.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { measureFloor } from "./floor.ts";
import { oneByOne } from "./one-by-one.ts";
import { startMeasured } from "./service.ts";
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
    const create = await measureRun({ engine, folder, url: server?.url, round: 0 });
    const update = await measureRun({ engine, folder, url: server?.url, round: 1, access: create.access });
    return [create.row, update.row];
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Run {
  engine: string;
  folder: string;
  url: string | undefined;
  round: number;
  access?: Access;
}

async function measureRun({
  engine,
  folder,
  url,
  round,
  access,
}: Run): Promise<{ row: Row; access: Access }> {
  const service = await startMeasured(folder, url, access);
  const small = await runFile(service, productFile(100 - preparation.length, round));
  const run = await runFile(service, productFile(products, round));
  const peakBytes = await service.peakBytes();
  const single = round === 1 ? await oneByOne(service, Number(values.single), round + 1) : null;
  await service.stop();
  const database = await open(folder, url);
  const { id } = service.access.tenant;
  const floor = await measureFloor(database, id, round === 0 ? "insert" : "update", run.taskId);
  await database.close();
  const rate = run.operations / run.seconds;
  console.error(
    `${engine}: ${Math.round(rate)} operations/s, floor ${Math.round(floor.rate)} (${floor.way})`,
  );
  const row = {
    engine,
    run: round === 0 ? "create" : "update",
    "ops/s": Math.round(rate),
    "floor ops/s": Math.round(floor.rate),
    "of floor": (rate / floor.rate).toFixed(2),
    "fastest floor": floor.way,
    "one by one/s": single && Math.round(single),
    "times one by one": single && Math.round(rate / single),
    "first entry ms": Math.round(small.firstEntry),
    "peak MiB": Math.round(peakBytes / 1024 ** 2),
  };
  return { row, access: service.access };
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
