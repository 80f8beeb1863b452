import { expect, test } from "vitest";
import { oneOf, searchOf, text, yes } from "../src/layout/search.ts";

const read = searchOf({ status: oneOf(["complete", "error"]), text, unrepaired: yes });

/** Undefined hides what the rest of the URL has. */
const none = { status: undefined, text: undefined, unrepaired: undefined };

test("drops invalid values from a URL, instead of failing", () => {
  expect(read({ status: "gone", text: "", unrepaired: "true", other: 1 })).toStrictEqual(none);
  expect(read({ status: ["complete"], text: { a: 1 } })).toStrictEqual(none);
});

test("reads the filters of a URL", () => {
  const filters = { status: "error", text: "price variant", unrepaired: true };
  expect(read(filters)).toEqual(filters);
});

test("reads a text of digits, which a URL has as a number", () => {
  expect(read({ text: 404 })).toMatchObject({ text: "404" });
});
