import { describe, expect, it } from "vitest";
import { intentNames, resultProperties } from "../../src/index.ts";
import { settingIntents } from "../../src/resources/setting.ts";
import { hasProperty } from "../../src/templates/result-properties.ts";

const branches = (intent: keyof typeof resultProperties) =>
  resultProperties[intent].map(({ intent: branch, properties }) => [
    branch,
    properties.map((path) => path.join(".")),
  ]);

describe("resultProperties", () => {
  it("every intent has result properties, with at least one branch and one property in each", () => {
    expect(Object.keys(resultProperties).sort()).toEqual([...intentNames].sort());
    for (const of of Object.values(resultProperties)) {
      expect(of.length).toBeGreaterThan(0);
      for (const { properties } of of) expect(properties.length).toBeGreaterThan(0);
    }
  });

  it("the result properties of create and update differ", () => {
    expect(branches("folder/create")).toEqual([["folder/create", ["id.value", "language", "versionLabel"]]]);
    expect(branches("product/upsert")).toEqual([
      ["product/create", ["id", "language", "versionLabel"]],
      ["product/update", ["id.id", "id.language", "id.versionLabel"]],
    ]);
    expect(branches("order/upsert").map(([intent]) => intent)).toEqual(["order/register", "order/update"]);
  });

  it("a result without a documented property has the key of what was written", () => {
    expect(branches("customer/create")).toEqual([["customer/create", ["identifier"]]]);
    expect(branches("item/delete")).toEqual([["item/delete", ["id"]]]);
  });

  it("every upsert except those of settings has one branch for created and one for updated", () => {
    const upserts = intentNames.filter((intent) => /^[^/]+(?:\/[^/]+)?\/upsert$/.test(intent));
    const two = upserts.filter((intent) => resultProperties[intent].length === 2);
    const settings = Object.keys(settingIntents);
    expect(upserts.filter((intent) => !two.includes(intent))).toEqual([
      "pricelist/selectedProductVariants/upsert",
      ...settings,
    ]);
  });
});

describe("hasProperty", () => {
  const [created, updated] = resultProperties["folder/upsert"];

  it("hasProperty holds for a property, for an object of properties, and for the whole result", () => {
    expect([["id", "value"], ["id"], []].map((path) => hasProperty(created!, path))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("hasProperty fails for a property of the other branch, and below a property", () => {
    expect(hasProperty(created!, ["id", "id"])).toBe(false);
    expect(hasProperty(updated!, ["id", "value"])).toBe(false);
    expect(hasProperty(created!, ["language", "length"])).toBe(false);
  });

  it("hasProperty holds for a property at any position in a list, and fails for one of the list itself", () => {
    const [pipeline] = resultProperties["orderPipeline/upsert"];
    const paths = [["stages"], ["stages", "0"], ["stages", "12", "id"]];
    expect(paths.map((path) => hasProperty(pipeline!, path))).toEqual([true, true, true]);
    for (const path of [
      ["stages", "length"],
      ["stages", "id"],
      ["stages", "0", "percent"],
    ])
      expect(hasProperty(pipeline!, path)).toBe(false);
  });
});
