import { expect, test } from "vitest";
import { compileMap } from "../src/index.ts";
import { presetMap, presets } from "../src/presets/index.ts";

test.each(Object.entries(presets))("the preset %s is a map without problems", async (_, preset) => {
  expect(compileMap(await presetMap(preset)).problems).toBeUndefined();
});
