import { expect, test } from "vitest";
import { oneOf, searchOf, text, yes } from "../src/layout/search.ts";

const read = searchOf({ status: oneOf(["complete", "error"]), text, unrepaired: yes });

/** Undefined hides what the rest of the address has. */
const none = { status: undefined, text: undefined, unrepaired: undefined };

test("leaves out of an address what is not allowed, instead of failing", () => {
  expect(read({ status: "gone", text: "", unrepaired: "true", other: 1 })).toStrictEqual(none);
  expect(read({ status: ["complete"], text: { a: 1 } })).toStrictEqual(none);
});

test("reads the filters of an address", () => {
  const filters = { status: "error", text: "price variant", unrepaired: true };
  expect(read(filters)).toEqual(filters);
});

test("reads a text of digits, which an address has as a number", () => {
  expect(read({ text: 404 })).toMatchObject({ text: "404" });
});
