/** @module-tag release */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");

test("the quickstart keeps running with --stay: its URL signs a browser in, and Ctrl-C removes its folder", async () => {
  const quickstart = spawn(process.execPath, ["scripts/quickstart.ts", "--stay"], { cwd: root });
  onTestFinished(() => void quickstart.kill("SIGKILL"));
  const ended = once(quickstart, "exit");
  let told = "";
  for (const stream of [quickstart.stdout, quickstart.stderr]) stream.on("data", (chunk) => (told += chunk));
  while (!told.includes("runs until Ctrl-C") && quickstart.exitCode === null)
    await Promise.race([ended, once(quickstart.stdout, "data")]);

  const [, url, code] = /^(http:\S+)\/console\/#tenant=tidewater&code=(\S+)$/m.exec(told) ?? [];
  expect(told).toContain(`Its page: ${url}/console/@tidewater/tasks`);
  expect((await fetch(`${url}/console/@tidewater/tasks`)).status).toBe(200);
  const session = await fetch(`${url}/console/session`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ tenant: "tidewater", code }),
  });
  expect(await session.json()).toMatchObject({ tenants: [{ identifier: "tidewater" }] });

  const credentials = /LADING_CREDENTIALS=(\S+)/.exec(told)?.[1] ?? "";
  expect(existsSync(credentials)).toBe(true);
  quickstart.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  expect(existsSync(dirname(credentials))).toBe(false);
});
