import { intentNames } from "@lading/schema";
import { expect, test } from "vitest";
import { notImplemented } from "../../src/commands/not-implemented.ts";
import { commands } from "../../src/commands/registry.ts";

test("an intent that cannot be executed yet fails and says which it is", async () => {
  await expect(notImplemented("topic/create").execute(undefined as never, {} as never)).rejects.toMatchObject(
    {
      name: "NotImplemented",
      message: expect.stringContaining("topic/create"),
    },
  );
});

test("the registry has the intents of the schema and no others", () => {
  expect(Object.keys(commands).sort()).toEqual([...intentNames].sort());
});
