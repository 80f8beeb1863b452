import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { describeConsole } from "./browser.ts";

const root = join(import.meta.dirname, "../../..");

describeConsole("the screenshots of the documentation", () => {
  test("are reproduced by their script, each under 200 kB", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lading-shots-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await promisify(execFile)(process.execPath, ["scripts/console-shots.ts", "--built", "--into", folder], {
      cwd: root,
    });
    expect(readdirSync(folder)).toEqual(readdirSync(join(root, "docs/screenshots")));
    for (const name of readdirSync(folder)) {
      const { size } = statSync(join(folder, name));
      expect(size, name).toBeGreaterThan(10_000);
      expect(size, name).toBeLessThan(200_000);
    }
  });
});
