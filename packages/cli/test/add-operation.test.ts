import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkOperation, type Intent, intentNames, parsePayload, skeletonOf } from "@lading/schema";
import { beforeEach, expect, test } from "vitest";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";

let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

function add(file: string, ...intents: string[]) {
  return lading([
    "mass-operation",
    "add-operation",
    file,
    ...intents.flatMap((intent) => ["--intent", intent]),
  ]);
}

/** Replaces the placeholders of a skeleton that are not valid themselves. */
const filled = (intent: Intent) =>
  JSON.stringify(skeletonOf(intent))
    .replace(/"<(?:price|quantity|modifier|percent|period)>"/g, "1")
    .replace("<currency>", "EUR")
    .replace("<operation>", "increase")
    .replace("<modifierType>", "RELATIVE")
    .replace("<unit>", "month")
    .replace('Variants":{"type":"<type>"', 'Variants":{"type":"SOME_SKUS"')
    .replace('targetAudience":{"type":"<type>"', 'targetAudience":{"type":"SOME"')
    .replace("<type>", intent.startsWith("flow") ? "item" : "document");

test.each(intentNames)("the skeleton of %s is a valid operation except for its placeholders", (intent) => {
  const { errors, warnings } = checkOperation(JSON.parse(filled(intent)));
  expect([...errors, ...warnings]).toEqual([]);
  const rendered = JSON.parse(filled(intent).replace(/\{\{.*?\}\}/g, "0".repeat(24)));
  expect(parsePayload(intent, rendered)).toHaveProperty("payload");
});

test("add-operation refuses an unknown intent with the nearest one, and makes no file", async () => {
  const file = join(folder, "new.json");
  const { code, stderr } = await add(file, "product/upsrt");
  expect(code).toBe(1);
  expect(stderr).toContain('did you mean "product/upsert"?');
  await expect(readFile(file)).rejects.toThrow("ENOENT");
});

test.each([
  ["{ mine", "is not JSON"],
  ['{ "operations": [\n  { "a": 1 },\n] }', ':2:13 is not JSON: there is a comma before "]": remove it'],
  [{ version: "1.0.0" }, 'no list "operations"'],
])("add-operation leaves a file such as %j alone", async (content, problem) => {
  const file = await writeInto(folder, "mine.json", content);
  const before = await readFile(file, "utf8");
  const { code, stderr } = await add(file, "item/publish");
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
  expect(await readFile(file, "utf8")).toBe(before);
});

test("add-operation creates a missing file, which is valid, and the JSON Schema next to it", async () => {
  const file = join(folder, "new.json");
  expect(await add(file, "product/upsert", "item/publish")).toMatchObject({ code: 0 });
  expect(await lading(["mass-operation", "validate", file])).toMatchObject({ code: 0 });
  const { $schema } = JSON.parse(await readFile(file, "utf8"));
  expect(JSON.parse(await readFile(resolve(folder, $schema), "utf8"))).toHaveProperty("definitions");
});

test("each new operation gets a unique _ref", async () => {
  const content = {
    version: "1.0.0",
    operations: [{ intent: "item/delete", _ref: "productUpsert", itemId: "{{ a }}" }],
  };
  const file = await writeInto(folder, "mine.json", content);
  await add(file, "product/upsert", "product/upsert", "subscription-contract/create");
  const { operations } = JSON.parse(await readFile(file, "utf8"));
  const refs = ["productUpsert", "productUpsert2", "productUpsert3", "subscriptionContractCreate"];
  expect(operations.map(({ _ref }: { _ref: string }) => _ref)).toEqual(refs);
});

test("add-operation keeps the file's content as it is written, to the byte", async () => {
  const before = `{ "version" : "1.0.0","operations": [\n\t{"intent":"item/delete", "itemId": "{{ ä.id }}"}`;
  const file = await writeInto(folder, "mine.json", `${before}\n] ,"$schema":"x"}\n`);
  await add(file, "item/publish");
  const after = await readFile(file, "utf8");
  expect(after.startsWith(`${before},\n`)).toBe(true);
  expect(after.endsWith(`\n] ,"$schema":"x"}\n`)).toBe(true);
  expect(JSON.parse(after).operations).toMatchObject([{ intent: "item/delete" }, { intent: "item/publish" }]);
});

test("add-operation puts operations into an empty list", async () => {
  const file = await writeInto(folder, "mine.json", `{"version": "1.0.0", "operations": [ ]}`);
  await add(file, "item/publish", "item/delete");
  expect(JSON.parse(await readFile(file, "utf8")).operations).toHaveLength(2);
});

test("add-operation accepts CRLF and a byte order mark, and keeps the line ends", async () => {
  const text = '\uFEFF{\r\n  "version": "1.0.0",\r\n  "operations": []\r\n}\r\n';
  const file = await writeInto(folder, "windows.json", text);
  expect(await add(file, "item/publish")).toMatchObject({ code: 0 });
  expect(await add(file, "item/publish")).toMatchObject({ code: 0 });
  const written = await readFile(file, "utf8");
  expect(JSON.parse(written).operations).toHaveLength(2);
  expect(written).not.toMatch(/[^\r]\n/);
});

test("add-operation says that the path is a folder", async () => {
  expect((await add(folder, "item/publish")).stderr).toBe(`error: ${folder} is a folder; name a file\n`);
});
