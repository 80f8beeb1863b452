import { serviceOptions, startService } from "../../packages/service/src/index.ts";

/**
 * A service in a process of its own, so that its memory is its own; tells its parent where it listens. What is not set
 * here comes from the environment.
 */
const [dataDir, databaseUrl] = process.argv.slice(2);
const service = await startService({
  ...serviceOptions(process.env),
  port: 0,
  dataDir,
  databaseUrl: databaseUrl || undefined,
  logLevel: "warn",
  rateLimit: 0, // what is sent as fast as it can be is what is measured
});
process.send?.({ url: service.url, operatorToken: service.operatorToken });
process.on("message", async (message) => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  // Kilobytes and microseconds.
  if (message === "usage")
    process.send?.({ peakBytes: maxRSS * 1024, cpuMs: (userCPUTime + systemCPUTime) / 1_000 });
  if (message === "stop") {
    await service.stop();
    process.disconnect();
  }
});
