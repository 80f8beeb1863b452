import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { keepHeapSmall, serviceOptions, startService } from "../../../packages/service/src/index.ts";

/**
 * A service in its own process, so that its memory can be measured; sends its URL to the parent. What is not set
 * here comes from the environment.
 */
const [dataDir, databaseUrl] = process.argv.slice(2);
const options = serviceOptions(process.env);
const service = await startService({
  ...options,
  port: 0,
  dataDir,
  databaseUrl: databaseUrl || undefined,
  logLevel: options.logLevel ?? "warn",
  rateLimit: options.rateLimit ?? 0, // the test measures maximum rates
});
if (service.engine === "pglite") keepHeapSmall(); // as `lading serve` does
setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
process.send?.({ url: service.url, operatorToken: service.operatorToken });
process.on("disconnect", () => process.exit()); // the parent has exited
process.on("message", async (message) => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  // Kilobytes and microseconds.
  if (message === "usage")
    process.send?.({ peakBytes: maxRSS * 1024, cpuMs: (userCPUTime + systemCPUTime) / 1_000 });
  if (message === "heap") {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.({ heapBytes: heapUsed + external });
  }
  if (message === "stalls") {
    process.send?.({ stallMs: (delays?.max ?? 0) / 1e6 }); // nanoseconds
    delays ??= monitorEventLoopDelay({ resolution: 10 });
    delays.reset();
    delays.enable();
  }
  if (message === "stop") {
    await service.stop();
    process.disconnect();
  }
});
