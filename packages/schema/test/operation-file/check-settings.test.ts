import { describe, expect, it } from "vitest";
import {
  checkOperationFile,
  type HasSetting,
  intentNames,
  issueText,
  payloads,
  settingKeys,
} from "../../src/internal.ts";
import { settingNames } from "../../src/operation-file/check/later-settings.ts";
import { fieldsOf } from "../oracle/fields.ts";

const id = "0123456789abcdef01234567";

const issuesOf = async (operations: readonly object[], hasSetting?: HasSetting, strict = false) => {
  const lines = operations.map((operation) => JSON.stringify(operation)).join(",\n");
  const file = Buffer.from(`{"version": "1.0.0", "operations": [\n${lines}\n]}`);
  const chunks = (async function* () {
    yield file;
  })();
  return checkOperationFile(chunks, { strict, ...(hasSetting && { hasSetting }) });
};
const texts = async (...given: Parameters<typeof issuesOf>) =>
  (await issuesOf(...given)).issues.map(issueText);

const folder = (language: string) => ({
  ...{ intent: "folder/create", language, shapeIdentifier: "s", name: "A", tree: { parentId: id } },
});
const language = (code: string) => ({ intent: "language/upsert", code, name: "A" });

const price = [{ identifier: "x", price: 1 }];
const phase = {
  priceVariants: price,
  meteredVariables: [{ id, tierType: "volume", tiers: [{ threshold: 0, price: 1, priceVariants: price }] }],
};

describe("settings that a file adds after naming them", () => {
  it("the first operation that names a setting added later is a warning at its line", async () => {
    const file = [folder("no"), folder("no"), language("no"), folder("no"), language("no")];
    expect(await texts(file)).toEqual([
      "warning  operations[0] folder/create  line 2, column 38  /operations/0/language: operations[2] adds the " +
        'language "no" only later: unless the tenant has it, the operation will fail',
    ]);
    const strict = await issuesOf(file, undefined, true);
    expect(strict).toMatchObject({ errorCount: 1, warningCount: 0, issues: [{ code: "LaterSetting" }] });
  });

  it("warnings about settings are in file order", async () => {
    const file = [
      folder("no"),
      { ...folder("en"), name: " " },
      { ...folder("da"), x: 1 },
      language("da"),
      language("no"),
    ];
    const { issues } = await issuesOf(file);
    expect(issues.map(({ code, operationIndex }) => [operationIndex, code])).toEqual([
      [0, "LaterSetting"],
      [1, "OutOfRange"],
      [2, "UnknownField"],
      [2, "LaterSetting"],
    ]);
  });

  it("settings the file added earlier or the tenant has, and templates, give no warning", async () => {
    expect(await texts([language("no"), folder("no"), language("no")])).toEqual([]);
    expect(await texts([folder("en"), language("en")])).toEqual([]);
    expect(await texts([folder("{{ defaults.languages.[0] }}"), language("no")])).toEqual([]);
    const isNorwegian: HasSetting = (intent, key) => intent === "language/upsert" && key === "no";
    expect(await texts([folder("no"), folder("en"), language("no")], isNorwegian)).toEqual([]);
    expect(await texts([folder("en"), language("en")], isNorwegian)).toHaveLength(1);
  });

  it("an invalid operation names nothing, and the number of settings remembered is limited", async () => {
    expect(await texts([{ ...folder("no"), name: undefined }, language("no")])).toHaveLength(1);
    const many = Array.from({ length: 1_100 }, (_, i) => folder(`xx-${i}`));
    expect(await texts([...many, language("xx-999"), language("xx-1050")])).toHaveLength(1);
    expect(await texts([folder("x".repeat(201)), language("x".repeat(201))])).not.toContainEqual(
      expect.stringContaining("only later"),
    );
  });

  it.each<[adding: keyof typeof settingKeys, naming: object]>([
    ["language/upsert", { ...folder("x") }],
    ["vatType/upsert", { intent: "product/update", itemId: id, language: "en", vatTypeId: id }],
    ["stockLocation/upsert", { intent: "order/update", id, stockLocationIdentifier: "x" }],
    [
      "market/upsert",
      {
        intent: "pricelist/update",
        identifier: "p",
        targetAudience: { type: "SOME", marketIdentifiers: ["x"] },
      },
    ],
    [
      "priceVariant/upsert",
      {
        ...{ intent: "product/variant/update", sku: "s", language: "en" },
        subscriptionPlans: [{ identifier: "p", periods: [{ id, recurring: phase }] }],
      },
    ],
    [
      "subscriptionPlan/upsert",
      {
        intent: "subscription-contract/update",
        id,
        subscriptionPlan: { identifier: "x", periodId: id, periodName: "M" },
      },
    ],
    [
      "orderPipeline/upsert",
      {
        ...{ intent: "order/register", customer: { identifier: "a" }, cart: [{ name: "C", quantity: 1 }] },
        pipelines: [{ pipelineId: id, stageId: id }],
      },
    ],
  ])("what %s adds is looked for in %j", async (intent, naming) => {
    const fields = {
      ...{ code: "x", identifier: "x", name: "X", percent: 1, currency: "EUR" },
      ...{ periods: [{ name: "M", recurring: { period: 1, unit: "day" } }], stages: [{ name: "New" }] },
    };
    const adding = { intent, ...fields, ...(settingKeys[intent] === "id" && { id }) };
    const { issues } = await issuesOf([naming, adding]);
    expect(issues.filter(({ code }) => code === "LaterSetting")).toHaveLength(1);
  });

  it("every payload field that names a setting is checked", async () => {
    const namesSetting =
      /(?:^|\/)(?:language|vatTypeId|\w*VariantIdentifier|\w*[lL]ocationIdentifier|marketIdentifiers\/\*|pipelineId|(?:priceVariants|stockLocations|subscriptionPlans)\/\*\/identifier|subscriptionPlan\/identifier):/;
    const paths = intentNames.flatMap((intent) =>
      fieldsOf(payloads[intent])
        .filter((line) => namesSetting.test(line))
        .map((line) => line.slice(1, line.indexOf(":"))),
    );
    const isNamed = (path: string) =>
      typeof path
        .split("/")
        .filter((part) => part !== "*")
        .reduce<unknown>((at, part) => Object(at)[part], settingNames) === "string";
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.filter((path) => !isNamed(path))).toEqual([]);
  });
});
