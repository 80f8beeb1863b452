import { setTimeout as delay } from "node:timers/promises";
import { openImageHost } from "../../test/support/images/host.ts";
import { png } from "../../test/support/images/samples.ts";
import { type Engine, type Measured, readOptions } from "../program.ts";
import { withService } from "../service/measured.ts";
import { runFile } from "../service/tasks.ts";

export const values = readOptions({
  images: { default: "2000", meaning: "images, and operations of the task" },
  bytes: { default: "50000", meaning: "bytes per image" },
  latency: { default: "50", meaning: "milliseconds until the host answers" },
  concurrency: { default: "16", meaning: "images the service fetches concurrently" },
});
const [count, size] = [Number(values.images), Number(values.bytes)];
const [latency, concurrency] = [Number(values.latency), Number(values.concurrency)];

export async function measure(engine: Engine): Promise<Measured[]> {
  process.env.LADING_IMAGE_HOSTS = "127.0.0.1";
  process.env.LADING_IMAGE_FETCHES = String(concurrency);
  const host = await openImageHost();
  try {
    const operations = Array.from({ length: count }, (_, i) => {
      const url = host.on(`/${i}.png`, async (response) => {
        await delay(latency);
        response.end(png(i + 1, 1, i, size));
      });
      return { intent: "image/register", key: `{{ upload "${url}" }}` };
    });
    const file = new Blob([JSON.stringify({ version: "1.0.0", operations })]);
    return await withService(engine, async (service) => {
      const cpuBefore = await service.cpuMs();
      const { seconds } = await runFile(service, file);
      const figures = {
        Seconds: seconds,
        "Of the bound": (count * latency) / concurrency / 1_000 / seconds,
        "Concurrent images": host.mostAtOnce(),
        "CPU of the service per image, ms": ((await service.cpuMs()) - cpuBefore) / count,
        "Peak MiB": (await service.peakBytes()) / 1024 ** 2,
      };
      return [{ run: `${count} images`, figures }];
    });
  } finally {
    await host.close();
  }
}
