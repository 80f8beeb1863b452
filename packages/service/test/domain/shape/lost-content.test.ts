import type { ComponentDefinition } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { lostByShape, sharedByShape } from "../../../src/domain/shape/lost-content.ts";

test("an update of a shape looks at each component only a few times to find what changes", () => {
  const count = 2_000;
  let looks = 0;
  const components = Array.from({ length: count }, (_, i): ComponentDefinition => {
    const definition = { id: "", name: "C", type: "singleLine" as const };
    return Object.defineProperty(definition, "id", {
      get: () => {
        looks++;
        return `c${i}`;
      },
    });
  });
  const [before, after] = [{ components }, { components: components.toReversed() }];
  expect(lostByShape(before, after)).toEqual([]);
  expect(sharedByShape(before, after)).toEqual([]);
  expect(looks).toBeLessThan(20 * count);
});
