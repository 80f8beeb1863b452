import { literalTemplate } from "@lading/schema/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { renderText } from "../../src/templates/render-text.ts";
import { scopeOf } from "./support/scope.ts";

const parts = ["{{", "}}", "{", "}", "\\", "a", " ", "\n", "!", "#if x", "/if", "{{{{raw}}}}", "[", '"', "~"];
const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join(""));

test("the literal template of any text renders to that text", () => {
  fc.assert(
    fc.property(text, (written) => {
      const template = literalTemplate(written);
      expect(template.includes("{{") ? renderText(template, scopeOf({})) : template).toBe(written);
    }),
    { numRuns: runs(2_000) },
  );
});

test("text without opening braces is its own literal template", () => {
  expect(literalTemplate("a \\ } {b")).toBe("a \\ } {b");
});
