import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import "../vitest/global-setup.ts";

/** The test run's archive of a migrated, empty PGlite folder. */
export async function pgliteArchive(): Promise<Blob> {
  const response = await fetch(inject("pgliteBroker"));
  if (!response.ok) throw new Error(await response.text());
  return response.blob();
}

/**
 * Puts a migrated, empty PGlite into the data folder of a service before the service starts. PGlite takes five seconds
 * to make a database of its own, and a tenth of a second to open this one.
 */
export async function unpackPglite(dataDir: string): Promise<void> {
  const folder = join(dataDir, "database", "pglite");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const tar = spawn("tar", ["-x", "-f", "-", "-C", folder], { stdio: ["pipe", "ignore", "pipe"] });
  const said = text(tar.stderr);
  const ended = once(tar, "close");
  tar.stdin.end(await (await pgliteArchive()).bytes());
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with ${code} and did not unpack a PGlite: ${await said}`);
}
