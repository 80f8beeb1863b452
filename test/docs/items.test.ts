import { checkOperation, intentNames } from "@lading/schema";
import { describe, expect, test } from "vitest";
import { codes, page } from "./pages.ts";

describe("docs/items.md", () => {
  test("docs/items.md names the one intent that creates an item without a location", () => {
    const creating = intentNames.filter((intent) =>
      /^(folder|document|product)\/(create|upsert)$/.test(intent),
    );
    const lacksTree = (intent: string) => {
      const { errors } = checkOperation({ intent, language: "en", shapeIdentifier: "s", name: "n" });
      return errors.some(({ code, path }) => code === "MissingField" && path.join() === "tree");
    };
    const told = page("docs/items.md").split("\n- Creates, ")[1]?.split("\n- ")[0] ?? "";
    const named = codes(told).filter((code) => code.includes("/"));
    const upserts = creating.filter((intent) => intent.endsWith("/upsert"));
    expect(creating.filter((intent) => !lacksTree(intent))).toEqual(["product/upsert"]);
    expect(named.toSorted()).toEqual(upserts.toSorted());
  });
});
