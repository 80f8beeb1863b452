import { describe, expect, test } from "vitest";
import { isSafeKey, isUploadKey, newUploadKey, safeFilename } from "../../src/uploads/keys.ts";

const tenant = "65a1b2c3d4e5f60718293a4b";
const otherTenant = "75a1b2c3d4e5f60718293a4b";

describe("a safe filename", () => {
  test.each([
    ["../../etc/passwd", "passwd"],
    ["..\\..\\windows\\system.ini", "system.ini"],
    ["..", "file"],
    ["", "file"],
    ["folder/", "file"],
    [".bashrc", "bashrc"],
    ["-rf", "rf"],
    ["nul\0byte.json", "nul-byte.json"],
    ["line\r\nbreak.json", "line-break.json"],
    ["my shop (1).json", "my-shop-1-.json"],
    ["größe.json", "gr-e.json"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: S3 would put the file's name in its place
    ["${filename}", "filename-"],
    ["mass-operation-4711.json", "mass-operation-4711.json"],
  ])("the safe filename of %j is %j", (filename, safe) => {
    expect(safeFilename(filename)).toBe(safe);
  });

  test("a safe filename keeps the extension of a long name, within 100 characters", () => {
    const name = safeFilename(`${"x".repeat(5_000)}.json`);
    expect(name).toMatch(/^x+\.json$/);
    expect(name).toHaveLength(100);
  });
});

describe("an upload key", () => {
  test("an upload key has the tenant, the type and a safe filename, and is new each time", () => {
    const keys = Array.from({ length: 100 }, () =>
      newUploadKey(tenant, "../my file.json", "MASS_OPERATIONS"),
    );
    for (const key of keys)
      expect(key).toMatch(/^65a1b2c3d4e5f60718293a4b\/mass-operations\/[0-9a-f]{32}\/my-file\.json$/);
    expect(new Set(keys).size).toBe(100);
  });

  test("an upload key is one that stores take, whatever the filename", () => {
    for (const name of ["", "..", "a".repeat(9_999), "☃", "a/b"]) {
      expect(isSafeKey(newUploadKey(tenant, name, "MASS_OPERATIONS"))).toBe(true);
    }
  });

  test("an upload key belongs to its tenant and its type only", () => {
    const key = newUploadKey(tenant, "a.json", "MASS_OPERATIONS");
    expect(isUploadKey(key, otherTenant, "MASS_OPERATIONS")).toBe(false);
    expect(isUploadKey(key, tenant, "MEDIA")).toBe(false);
    expect(isUploadKey(key, tenant, "MASS_OPERATIONS")).toBe(true);
  });

  test.each([
    `${tenant}/mass-operations/../../${otherTenant}/mass-operations/${"0".repeat(32)}/a.json`,
    `${tenant}/mass-operations/${"0".repeat(32)}/../a.json`,
    `${tenant}/mass-operations/${"0".repeat(31)}/a.json`,
    `${tenant}/mass-operations/${"0".repeat(32)}/`,
    `${tenant}/mass-operations/a.json`,
    "",
  ])("%j is not an upload key", (key) => {
    expect(isUploadKey(key, tenant, "MASS_OPERATIONS")).toBe(false);
  });
});
