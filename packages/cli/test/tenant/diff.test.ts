import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { document, dumpOf, type Written } from "../../../transform/test/diff/dump-of.ts";
import { withinLimit } from "../../src/operation-file/diff/reading/read-tenants.ts";
import { cleanEnvironment, lading, writeInto } from "../support/lading.ts";

/** Serves dumps: each request for one of a tenant gets the next text of its list, the last one again and again. */
async function serviceWith(dumps: Readonly<Record<string, string[]>>, moments?: string): Promise<string> {
  const server = createServer((request, response) => {
    const [, tenant = ""] = /^\/@(\w+)\/dump\.json/.exec(request.url ?? "") ?? [];
    const texts = dumps[tenant] ?? [];
    if (moments !== undefined) response.setHeader("lading-dump-moments", moments);
    response.end(texts.length > 1 ? texts.shift() : texts[0]);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function diffOf(url: string, ...options: string[]) {
  const file = join(await cleanEnvironment(), "changes.json");
  const access = [
    "--url",
    url,
    "--token-id",
    "i",
    "--token-secret",
    "s",
    "--to-token-id",
    "i",
    "--to-token-secret",
    "s",
  ];
  const outcome = await lading(["tenant", "diff", "left", "right", file, ...access, ...options]);
  return { ...outcome, isWritten: existsSync(file) };
}

const both = (...more: Written[]) => dumpOf([document(1, "A"), ...more]);
const moved = document(2, "B");

test("nothing is deleted that an inconsistent dump missed: a second dump must be equal", async () => {
  const dumps = () => ({ left: [both(moved)], right: [both(), both(moved)] });
  for (const moments of ["many", undefined]) {
    const { code, stderr, isWritten } = await diffOf(await serviceWith(dumps(), moments), "--delete");
    expect([code, isWritten]).toEqual([1, false]);
    expect(stderr).toMatch(/^error: right was changed while it was dumped.*or leave out --delete\.$/m);
  }
  expect(await diffOf(await serviceWith(dumps(), "1"), "--delete")).toMatchObject({
    code: 0,
    isWritten: true,
  });
  expect(await diffOf(await serviceWith(dumps(), "many"))).toMatchObject({ code: 0, isWritten: true });
});

test("an inconsistent dump that is the same twice allows deletions; a shorter one does not", async () => {
  const same = { left: [both(moved)], right: [both()] };
  expect(await diffOf(await serviceWith(same, "many"), "--delete")).toMatchObject({
    code: 0,
    isWritten: true,
  });
  const shorter = { left: [both(moved)], right: [both(moved), '{"version":"1.0.0","operations":[\n]}\n'] };
  expect(await diffOf(await serviceWith(shorter, "many"), "--delete")).toMatchObject({
    code: 1,
    isWritten: false,
  });
});

test("a line over the limit of an operation is refused before it is read into memory", async () => {
  const block = new Uint8Array(1024 ** 2).fill(65);
  async function* blocks(end: string) {
    for (let i = 0; i < 15; i++) yield block;
    yield Buffer.from(end);
    yield block;
  }
  const read = (end: string) => Array.fromAsync(withinLimit(blocks(end)));
  expect(await read("A\nA")).toHaveLength(17);
  await expect(read("A")).rejects.toThrow("it has a line of more than 16 MiB, the limit");
});

test.each([
  ["an end that is not JSON", "]}\n", "] x}\n", "its end is not that of a dump"],
  ["an operation of no dump", "document/upsert", "item/delete", 'line 2 has the intent "item/delete", which'],
])("the error about %s names the tenant", async (_, dumped, other, message) => {
  const url = await serviceWith({ left: [both()], right: [both().replace(dumped, other)] });
  const { code, stderr } = await diffOf(url);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`the dump of right: ${message}`)]);
});

test("omissions of the second tenant's dump are printed, so that an empty diff is not misread", async () => {
  const omission = { what: "orphaned content of an item", count: 2, examples: ["a", "b"], shape: "tea" };
  const end = `],"report":${JSON.stringify([omission])}}\n`;
  const url = await serviceWith({ left: [both()], right: [both().replace("]}\n", end)] });
  const { stdout } = await diffOf(url);
  expect(stdout).toContain(
    "not compared in right, 2 times: orphaned content of an item of the shape tea (a, b)\n",
  );
  const { stdout: text } = await diffOf(url, "--json", "--force");
  expect(JSON.parse(text)).toMatchObject({ operations: 0, omissions: [omission] });
});

test("a file that is missing, not a dump, or incomplete is refused by name", async () => {
  const folder = await cleanEnvironment();
  const write = (name: string, text: string) => writeInto(folder, name, text);
  for (const [name, text, message] of [
    ["none.json", undefined, /the dump of .*none\.json: there is no file/],
    ["cut.json", both().slice(0, -4), /the dump of .*cut\.json: it has no end of a dump/],
    [
      "pretty.json",
      JSON.stringify(JSON.parse(both()), null, 2).concat("\n"),
      /the dump of .*pretty\.json: line 1 /,
    ],
  ] as const) {
    const file = text === undefined ? join(folder, name) : await write(name, text);
    const { code, stderr } = await lading(["tenant", "diff", file, file]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  }
});

test("files of dumps are compared without a service, and with a tenant", async () => {
  const url = await serviceWith({ left: [both(moved)] });
  const folder = await cleanEnvironment();
  const [old, now] = [
    await writeInto(folder, "old.json", both()),
    await writeInto(folder, "now.json", both(moved)),
  ];
  const access = ["--url", url, "--token-id", "i", "--token-secret", "s", "--exit-code"];
  expect(await lading(["tenant", "diff", "left", now, ...access])).toMatchObject({ code: 0 });
  expect(await lading(["tenant", "diff", "left", old, "--delete", ...access])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${old} is a file, which may lack kinds`),
  });
  expect(
    await lading([
      "tenant",
      "diff",
      old,
      "left",
      "--delete",
      ...access,
      "--to-token-id",
      "i",
      "--to-token-secret",
      "s",
    ]),
  ).toMatchObject({
    code: 5,
    stdout: expect.stringContaining(`1 operation to make ${old} like left`),
  });
  await writeFile(join(folder, "now.json.gz"), gzipSync(both(moved)));
  const zipped = join(folder, "now.json.gz");
  expect(await lading(["tenant", "diff", old, zipped, "--url", "http://127.0.0.1:1"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`1 operation to make ${old} like ${zipped}`),
  });
});
