import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  checkOperation,
  type Intent,
  intentNames,
  jsonSchemaFile,
  parsePayload,
  skeletonOf,
} from "@lading/schema/internal";
import { beforeEach, describe, expect, it, test } from "vitest";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";

let folder: string;
beforeEach(async () => {
  folder = await cleanEnvironment();
});

const init = (file: string, ...flags: string[]) => lading(["mass-operation", "init", file, ...flags]);
const schemaName = "mass-operation.schema.json";

describe("init refuses, and changes nothing", () => {
  it("a file that exists, and says how to add to it", async () => {
    const file = await writeInto(folder, "mine.json", "{ mine");
    const { code, stderr } = await init(file);
    expect(code).toBe(1);
    expect(stderr).toContain(`${file} exists already; add to it with: lading mass-operation add-operation`);
    expect(await readFile(file, "utf8")).toBe("{ mine");
    expect(await readdir(folder)).toEqual(["mine.json"]);
  });

  it("a folder in the place of the file", async () => {
    await mkdir(join(folder, "shop.json"));
    const { code, stderr } = await init(join(folder, "shop.json"));
    expect([code, stderr]).toEqual([1, `error: ${folder}/shop.json is a folder; name a file\n`]);
    expect(await readdir(folder)).toEqual(["shop.json"]);
  });

  it("an unknown intent, with the nearest one", async () => {
    const { code, stderr } = await init(join(folder, "new.json"), "--intent", "product/upsrt");
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean "product/upsert"?');
    expect(await readdir(folder)).toEqual([]);
  });

  it("a folder that does not exist", async () => {
    const { code, stderr } = await init(join(folder, "none", "new.json"));
    expect(code).toBe(1);
    expect(stderr).toContain(`: there is no folder ${join(folder, "none")}\n`);
  });

  it.skipIf(process.getuid?.() === 0)("a folder without rights", async () => {
    await chmod(folder, 0o500);
    const { code, stderr } = await init(join(folder, "new.json"));
    await chmod(folder, 0o700);
    expect(code).toBe(1);
    expect(stderr).toContain("this user may not write to");
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(["{}", "# not JSON", '{"title": "Mine"}'])(
    "another file in the place of the schema: %s",
    async (text) => {
      await writeInto(folder, schemaName, text);
      const { code, stderr } = await init(join(folder, "new.json"));
      expect(code).toBe(1);
      expect(stderr).toContain("is not the JSON Schema of mass operation files; move it away");
      expect(await readFile(join(folder, schemaName), "utf8")).toBe(text);
      expect(await readdir(folder)).toEqual([schemaName]);
    },
  );

  it("the name of the schema as the name of the file", async () => {
    const { code, stderr } = await init(join(folder, schemaName));
    expect(code).toBe(1);
    expect(stderr).toContain("choose another one");
    expect(await readdir(folder)).toEqual([]);
  });
});

test("init writes a valid file whose $schema is a copy next to it", async () => {
  const file = join(folder, "shop.json");
  const { code, stdout } = await init(file, "--intent", "product/upsert");
  expect(code).toBe(0);
  expect(stdout).toContain(join(folder, schemaName));
  const content = JSON.parse(await readFile(file, "utf8"));
  expect(content).toMatchObject({
    $schema: `./${schemaName}`,
    operations: [{ intent: "product/upsert", _ref: "productUpsert" }],
  });
  expect(await readFile(join(folder, schemaName), "utf8")).toBe(await readFile(jsonSchemaFile, "utf8"));
});

test("each placeholder that init writes is a warning until it is replaced", async () => {
  const file = join(folder, "shop.json");
  await init(file, "--intent", "customer/group/upsert");
  const validate = () => lading(["mass-operation", "validate", file]);
  const { code, stdout, stderr } = await validate();
  expect([code, stdout + stderr]).toEqual([
    0,
    expect.stringMatching(/:\d+:\d+: warning: "<identifier>" is a placeholder: put the value here/),
  ]);
  await writeFile(file, (await readFile(file, "utf8")).replaceAll(/"<\w+>"/g, '"vip"'));
  expect((await validate()).stdout).toContain("0 errors, 0 warnings");
});

test.each([
  ["product/variant/price/modify", ["price"]],
  ["product/variant/stock/modify", ["operation", "quantity"]],
  ["vatType/upsert", ["percent"]],
  ["order/upsert", ["cart/0/quantity"]],
  ["subscription-contract/upsert", ["recurring/price"]],
  [
    "pricelist/upsert",
    ["modifierType", "priceVariants/0/modifier", "selectedProductVariants/type", "targetAudience/type"],
  ],
])("init of %s writes no value that would be executed unedited", async (intent, fields) => {
  const file = join(folder, "shop.json");
  await init(file, "--intent", intent);
  const texts = /"<(?:sku|name|identifier|resourceIdentifier|customerIdentifier|periodName)>"/g;
  await writeFile(
    file,
    (await readFile(file, "utf8")).replaceAll(texts, '"mine"').replaceAll(/"0{24}"/g, '"{{ x }}"'),
  );
  const { code, stdout } = await lading(["mass-operation", "validate", file, "--json"]);
  expect(code).toBe(2);
  const issues: { severity: string; pointer: string }[] = JSON.parse(stdout).issues;
  const refused = issues.filter(({ severity }) => severity === "error").map(({ pointer }) => pointer);
  expect(refused).toEqual(fields.map((field) => `/operations/0/${field}`));
  const about = issues.filter(({ pointer }) => refused.includes(pointer));
  expect(about).toHaveLength(refused.length);
});

test("without intents the list is empty, and --json says what was written", async () => {
  const file = join(folder, "shop.json");
  const { stdout } = await init(file, "--json");
  expect(JSON.parse(stdout)).toEqual({ file, schema: join(folder, schemaName), operations: [] });
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ version: "1.0.0", operations: [] });
});

test("an older copy of the schema is renewed", async () => {
  await writeInto(folder, schemaName, { title: "Mass operation file" });
  expect(await init(join(folder, "shop.json"))).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, schemaName), "utf8")).toContain("product/upsert");
});

test("init and add-operation print nothing with --quiet", async () => {
  const file = join(folder, "shop.json");
  expect(await init(file, "--quiet")).toEqual({ code: 0, stdout: "", stderr: "" });
  const adding = ["mass-operation", "add-operation", file, "--intent", "item/publish", "--quiet"];
  expect(await lading(adding)).toEqual({ code: 0, stdout: "", stderr: "" });
});

function add(file: string, ...intents: string[]) {
  return lading([
    "mass-operation",
    "add-operation",
    file,
    ...intents.flatMap((intent) => ["--intent", intent]),
  ]);
}

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

test.each(intentNames)("the skeleton of %s is valid but for what is to be filled in", (intent) => {
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

test("add-operation makes a missing file, which is valid, with the JSON Schema next to it", async () => {
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
