import { startService } from "../../packages/service/src/index.ts";

/** A service in a process of its own, so that its memory is its own; tells its parent where it listens. */
const [dataDir, databaseUrl] = process.argv.slice(2);
const service = await startService({
  port: 0,
  dataDir,
  databaseUrl: databaseUrl || undefined,
  logLevel: "warn",
  rateLimit: 0, // what is sent as fast as it can be is what is measured
});
process.send?.({ url: service.url, operatorToken: service.operatorToken });
process.on("message", async (message) => {
  // maxRSS is in kilobytes.
  if (message === "memory") process.send?.({ peakBytes: process.resourceUsage().maxRSS * 1024 });
  if (message === "stop") {
    await service.stop();
    process.disconnect();
  }
});
