import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { lading } from "../support/lading.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lading-dump-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const begin = '{"version":"1.0.0","operations":[\n{"intent":"customer/upsert","identifier":"ada"}';

/** Runs `tenant dump` into a file, against a service with this answer. */
async function dumpFrom(answer: RequestListener, file: string, ...flags: string[]) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = ["--token-id", "id", "--token-secret", "secret", "--url", url];
  return lading(["tenant", "dump", "acme", file, ...flags, ...token]);
}

const whole: RequestListener = (_, response) => void response.end(`${begin}\n]}\n`);

test.each<[string, RequestListener, string]>([
  [
    "whose connection breaks",
    (_, response) => void response.write(`${begin},\n`, () => response.destroy()),
    "broke before everything was read",
  ],
  ["that ends too early", (_, response) => void response.end(`${begin},\n`), "before it was complete"],
])("a dump %s leaves no file, and replaces none", async (_, answer, message) => {
  const file = join(folder, "half.json");
  expect(await dumpFrom(answer, file)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  expect(await readdir(folder)).toEqual([]);
  await writeFile(file, "before");
  expect(await dumpFrom(answer, file, "--force")).toMatchObject({ code: 1 });
  expect(await readdir(folder)).toEqual(["half.json"]);
  expect(await readFile(file, "utf8")).toBe("before");
  await rm(file);
});

test("only its owner may read a dump's file, even if it replaces one that others may read", async () => {
  const file = join(folder, "mode.json");
  const mode = async () => (await stat(file)).mode & 0o777;
  expect(await dumpFrom(whole, file)).toMatchObject({ code: 0 });
  expect(await mode()).toBe(0o600);
  await chmod(file, 0o644);
  expect(await dumpFrom(whole, file, "--force")).toMatchObject({ code: 0 });
  expect(await mode()).toBe(0o600);
});

test("a dump is not written through a link at the path of its temporary file", async () => {
  const [file, elsewhere] = [join(folder, "linked.json"), join(folder, "elsewhere")];
  await symlink(elsewhere, `${file}.${process.pid}.tmp`);
  expect(await dumpFrom(whole, file)).toMatchObject({ code: 0 });
  expect(await readdir(folder)).not.toContain("elsewhere");
  expect(await readFile(file, "utf8")).toContain("ada");
});
