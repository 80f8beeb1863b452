import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startServiceProcess } from "../support/service-process.ts";
import { fuzz } from "./fuzz.ts";

/** `npm run fuzz -- [--seed N] [--files N] [--requests N] [--database-url URL]`: a service of its own is fuzzed. */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    files: { type: "string", default: "10000" },
    requests: { type: "string", default: "10000" },
    "database-url": { type: "string" },
  },
});
const [seed, files, requests] = [values.seed, values.files, values.requests].map(Number) as [
  number,
  number,
  number,
];

const folder = await mkdtemp(join(tmpdir(), "lading-fuzz-"));
const service = await startServiceProcess(folder, values["database-url"]);
const crashed = new Promise<never>((_, reject) =>
  service.process.once("exit", (code, signal) =>
    reject(new Error(`the service ended by ${signal ?? code}; see it again with --seed ${seed}`)),
  ),
);
crashed.catch(() => {});
console.log(`seed ${seed}: ${files} files, ${requests} requests`);
try {
  const { url, operatorToken } = service;
  const onProgress = (text: string) => console.log(text);
  const findings = await Promise.race([
    fuzz({ url, operatorToken, seed, files, requests, onProgress }),
    crashed,
  ]);
  if (findings.length > 0) {
    const report = join(tmpdir(), `lading-fuzz-${seed}.json`);
    await writeFile(report, JSON.stringify(findings, null, 2));
    for (const { what } of findings.slice(0, 20)) console.error(what.slice(0, 300));
    console.error(`${findings.length} findings, with what brought them to light in ${report}`);
    process.exitCode = 1;
  } else console.log("no crash, no hang, no defect");
} finally {
  service.process.removeAllListeners("exit");
  if (service.process.exitCode === null) await service.stop();
  await rm(folder, { recursive: true, force: true });
}
