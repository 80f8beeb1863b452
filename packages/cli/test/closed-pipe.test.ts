import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

test("a reader that closes the pipe changes neither the exit code nor ends the command with a stack trace", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lading-pipe-"));
  const file = join(folder, "wrong.json");
  const operations = Array.from({ length: 900 }, (_, i) => ({ intent: `wrong/${i}` }));
  await writeFile(file, JSON.stringify({ version: "1.0.0", operations }));
  const bin = join(import.meta.dirname, "../bin/lading.cjs");
  const child = spawn(process.execPath, [bin, "mass-operation", "validate", file]);
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  child.stdout.destroy();
  const [code] = await once(child, "close");
  expect(complaints).not.toContain("EPIPE");
  expect(code).toBe(2);
  await rm(folder, { recursive: true });
});
