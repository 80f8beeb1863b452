import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { servedConsole } from "../../../src/http/console/console-url.ts";

test("a service names its console only where it is on, built, and of a role that serves it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lading-console-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = "https://shop.example/";
  expect(servedConsole({}, url, folder)).toBeUndefined();
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  expect(servedConsole({}, url, folder)).toBe("https://shop.example/console/");
  expect(servedConsole({ role: "api" }, url, folder)).toBe("https://shop.example/console/");
  expect(servedConsole({ role: "runner" }, url, folder)).toBeUndefined();
  expect(servedConsole({ console: false }, url, folder)).toBeUndefined();
});
