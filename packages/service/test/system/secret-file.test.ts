import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { secretFile } from "../../src/system/secret-file.ts";

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
