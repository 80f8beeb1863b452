import { intentNames } from "@lading/schema";
import { expect, test } from "vitest";
import { commands } from "../../src/commands/registry.ts";

test("the registry has the intents of the schema and no others", () => {
  expect(Object.keys(commands).sort()).toEqual([...intentNames].sort());
});
