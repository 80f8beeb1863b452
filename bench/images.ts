import { mkdtemp, rm } from "node:fs/promises";
import { arch, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openImageHost } from "../test/support/images/host.ts";
import { png } from "../test/support/images/samples.ts";
import { startPostgres } from "../test/support/postgres/postgres.ts";
import { readOptions } from "./program/options.ts";
import { engineOption, enginesOf, jsonOption } from "./program/rows.ts";
import { startMeasured } from "./service/measured.ts";
import { runFile } from "./service/tasks.ts";

const values = readOptions(
  "bench:images",
  "Measures a task whose every operation uploads an image of its own from a host that takes its time.",
  {
    images: { default: "2000", meaning: "images, and operations of the task" },
    bytes: { default: "50000", meaning: "bytes of an image" },
    latency: { default: "50", meaning: "milliseconds until the host answers" },
    "at-once": { default: "16", meaning: "images that the service fetches at a time" },
    engine: engineOption,
    json: jsonOption,
  },
);
const [count, size] = [Number(values.images), Number(values.bytes)];
const [latency, atOnce] = [Number(values.latency), Number(values["at-once"])];

interface Row {
  engine: string;
  seconds: number;
  "images/s": number;
  "bound s": number;
  "of bound": string;
  "sum of latencies s": number;
  "at once": number;
  connections: number;
  "CPU ms/image": string;
  "peak MiB": number;
}

async function measure(engine: string): Promise<Row> {
  process.env.LADING_IMAGE_HOSTS = "127.0.0.1";
  process.env.LADING_IMAGE_FETCHES = String(atOnce);
  const folder = await mkdtemp(join(tmpdir(), "lading-bench-"));
  const host = await openImageHost();
  const server = engine === "postgresql" ? await startPostgres({ durable: true }) : undefined;
  const service = await startMeasured(folder, server?.url, engine);
  try {
    const operations = Array.from({ length: count }, (_, i) => {
      const url = host.on(`/${i}.png`, async (response) => {
        await delay(latency);
        response.end(png(i + 1, 1, i, size));
      });
      return { intent: "image/register", key: `{{ upload "${url}" }}` };
    });
    const cpuBefore = await service.cpuMs();
    const { seconds } = await runFile(service, new Blob([JSON.stringify({ version: "1.0.0", operations })]));
    const bound = (count * latency) / atOnce / 1_000;
    return {
      engine,
      seconds: Number(seconds.toFixed(2)),
      "images/s": Math.round(count / seconds),
      "bound s": bound,
      "of bound": (bound / seconds).toFixed(2),
      "sum of latencies s": (count * latency) / 1_000,
      "at once": host.mostAtOnce(),
      connections: host.connections(),
      "CPU ms/image": (((await service.cpuMs()) - cpuBefore) / count).toFixed(2),
      "peak MiB": Math.round((await service.peakBytes()) / 1024 ** 2),
    };
  } finally {
    await service.stop();
    await server?.stop();
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const rows: Row[] = [];
for (const engine of enginesOf(values.engine)) rows.push(await measure(engine));
if (values.json) console.log(JSON.stringify(rows, null, 2));
else {
  console.log(
    `${count} images of ${size} bytes, ${latency} ms latency, ${atOnce} at once; ` +
      `Node ${process.version}, ${cpus().length} cores, ${arch()}`,
  );
  console.table(rows);
}
