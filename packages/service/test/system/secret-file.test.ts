import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { existingSecret, secretFile } from "../../src/system/secret-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lading-secrets-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a secret is made once, for its owner's eyes only", () => {
  const secret = secretFile(join(folder, "data"), "operator-token");
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(secretFile(join(folder, "data"), "operator-token")).toBe(secret);
  expect(readdirSync(join(folder, "data"))).toEqual(["operator-token"]);
  expect(statSync(join(folder, "data", "operator-token")).mode & 0o777).toBe(0o600);
});

test("an empty file is refused: an empty token would let everybody in", () => {
  writeFileSync(join(folder, "operator-token"), "\n");
  expect(() => secretFile(folder, "operator-token")).toThrow("is empty");
});

test("a link, a pipe or a folder in place of a secret is neither read nor waited for", () => {
  writeFileSync(join(folder, "of-another"), "secret of another\n");
  symlinkSync(join(folder, "of-another"), join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  mkdirSync(join(folder, "folder"));
  for (const name of ["link", "pipe", "folder"])
    expect(() => existingSecret(folder, name)).toThrow(`${join(folder, name)} is not an ordinary file`);
});
