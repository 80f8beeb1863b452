import { describe, expect, test } from "vitest";
import type { Hit } from "../src/pages/browse/documents.ts";
import { mergedHits } from "../src/pages/browse/merged-hits.ts";

const customer = (identifier: string, field: string, value: string): Hit => ({
  ...{ kind: "customer", field, value, language: null, item: null, variant: null, order: null },
  ...{ key: identifier, name: null, topic: null },
  customer: {
    identifier,
    firstName: null,
    lastName: null,
    companyName: null,
    email: `${identifier}@tea.example`,
  },
});

/** Answers pages of two hits; a cursor is the number of hits before it. */
const service = (hits: readonly Hit[]) => async (first: number, after: string) => {
  const from = Number(after);
  const rows = hits.slice(from, from + Math.min(first, 2));
  const end = from + rows.length;
  return { rows, hasNextPage: end < hits.length, endCursor: `${end}` };
};

describe("a search", () => {
  const tea = ["a", "b", "c"].flatMap((name) => [
    customer(name, "identifier", name),
    customer(name, "email", `${name}@tea.example`),
  ]);
  // As the service orders them: by field.
  const hits = [
    ...tea.filter(({ field }) => field === "email"),
    ...tea.filter(({ field }) => field !== "email"),
  ];

  test("lists a thing once, on the first page that has a hit of it, also when that page is read again", async () => {
    const read = mergedHits(2, "");
    const keys = async (after: string) => (await read(after, service(hits))).rows.map(({ key }) => key);
    expect(await keys("")).toEqual(["a", "b"]);
    expect(await keys("2")).toEqual(["c"]);
    expect(await keys("")).toEqual(["a", "b"]);
    expect(await keys("2")).toEqual(["c"]);
  });

  test("lists what moves to another page, or gets one with another cursor", async () => {
    const read = mergedHits(2, "");
    // A cursor is the last hit before it.
    const named = (names: string) => [...names].map((name) => customer(name, "identifier", name));
    const keys = async (after: string, names: string) => {
      const answer = await read(after, async (first, cursor) => {
        const from = names.indexOf(cursor) + cursor.length;
        const rows = named(names).slice(from, from + first);
        return { rows, hasNextPage: from + first < names.length, endCursor: rows.at(-1)?.value ?? null };
      });
      return answer.rows.map(({ key }) => key).join("");
    };
    expect([await keys("", "bcde"), await keys("c", "bcde")]).toEqual(["bc", "de"]);
    expect([await keys("", "abcde"), await keys("b", "abcde")]).toEqual(["ab", "cd"]);
    expect([await keys("", "bcde"), await keys("c", "bcde")]).toEqual(["bc", "de"]);
  });

  test("says what matched, and nothing that did not", async () => {
    const { rows } = await mergedHits(5, "TEA")("", service([customer("b", "email", "b@tea.example")]));
    expect(rows[0]?.matches).toEqual([{ field: "email", value: "b@tea.example" }]);
    const found = await mergedHits(5, "b")("", service([customer("b", "identifier", "b")]));
    expect(found.rows[0]?.matches.map(({ field }) => field)).toEqual(["identifier", "email"]);
  });
});
