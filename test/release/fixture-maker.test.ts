import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { versionAndCommit } from "../../packages/service/src/system/version.ts";

const maker = join(import.meta.dirname, "../fixtures/make/run.ts");

test("the fixture of a version can be made, once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lading-fixtures-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const make = () => promisify(execFile)(process.execPath, [maker, folder]);
  await make();
  const [name = "", ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect(name).toMatch(/^\d+\.\d+\.\d+-schema-\d+$/);
  expect(name.startsWith(`${versionAndCommit().version}-`)).toBe(true);
  expect((await readdir(join(folder, name))).sort()).toEqual([
    ...["database.sql.zst", "folder.tar.zst", "recording.json.zst"],
  ]);
  await expect(make()).rejects.toMatchObject({ stderr: expect.stringContaining(join(folder, name)) });
});
