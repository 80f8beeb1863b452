import { beforeAll, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { openService, runFile, serviceEngines } from "../support/service.ts";
import { dumpOf, run } from "./dumping.ts";

let client: TenantClient;
let dump: string;
const service = opened(() => openService(serviceEngines[0]));
beforeAll(async () => {
  client = await service.tenant("shop");
  const group = { intent: "customer/group/upsert", identifier: "club", name: "Club" };
  await run(client, { version: "1.0.0", operations: [group] });
  dump = await dumpOf(client);
});

/** The line, counted from 1, of the operation of an intent. */
const lineOf = (intent: string) => dump.split("\n").findIndex((line) => line.includes(`"${intent}"`)) + 1;

/** The issues of a file whose task must end in `error`, in a tenant that it leaves as it was. */
async function issuesOf(file: string): Promise<object[]> {
  const { status, log, issues } = await runFile(client, file.replace('"Club"', '"Clubs"'));
  expect({ status, log }).toEqual({ status: "error", log: [] });
  expect(await dumpOf(client)).toBe(dump);
  return issues;
}

test("a truncated dump is refused with the position of its end", async () => {
  const group = dump.indexOf('"intent":"customer/group/upsert"');
  const start = dump.lastIndexOf("\n", group) + 1;
  const line = lineOf("customer/group/upsert");
  expect(await issuesOf(dump.slice(0, group + 10))).toEqual([
    expect.objectContaining({
      ...{ code: "TruncatedFile", severity: "error", message: "the file ends within this value" },
      ...{ line, column: group + 10 - start + 1 },
    }),
  ]);
  expect(await issuesOf(dump.slice(0, start))).toEqual([
    expect.objectContaining({
      ...{ code: "TruncatedFile", severity: "error", line, column: 1 },
      message: expect.stringMatching(/^the file ends where .* is expected$/),
    }),
  ]);
});

test("a dump of a newer version runs with warnings, unless it needs what this version lacks", async () => {
  const newer = dump
    .replace('"version":"1.0.0"', '"version":"2.1.0"')
    .replace('"intent":"customer/group/upsert"', '"intent":"customer/group/upsert","later":1');
  const line = lineOf("customer/group/upsert");
  const warning = expect.objectContaining({ code: "UnknownField", severity: "warning", line });
  const unknown = newer.replace("\n]", ',\n{"intent":"planet/upsert","identifier":"mars"}\n]');
  expect(await issuesOf(unknown)).toEqual([
    expect.objectContaining({ code: "UnknownIntent", severity: "error", line: dump.split("\n").length - 1 }),
    warning,
  ]);
  const ran = await runFile(client, newer);
  expect({ status: ran.status, issues: ran.issues }).toEqual({ status: "complete", issues: [warning] });
  expect(ran.log.filter(({ status }) => status !== "success")).toEqual([]);
});
