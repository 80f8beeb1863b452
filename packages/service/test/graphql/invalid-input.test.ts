import { describe, expect, test } from "vitest";
import { longestErrorMessage, maximumErrors } from "../../src/graphql/validation/query-limits.ts";
import { useApi } from "../http/support.ts";

const api = useApi();

const selection = "{ ... on Customer { identifier } ... on BasicError { errorName } }";
const withVariable = `mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) ${selection} }`;
const withLiteral = (fields: string) => `mutation { createCustomer(input: {${fields}}) ${selection} }`;

const names = Array.from({ length: 900 }, (_, i) => `unknown${i}`);

describe("errors about an input", () => {
  test("a long wrong input gives few, short errors, as a literal and as a variable", async () => {
    const long = "long ".repeat(200_000);
    const members = Object.fromEntries(names.map((name) => [name, 1]));
    const literal = withLiteral(`identifier: "${long}", ${names.map((name) => `${name}: 1`).join(" ")}`);
    for (const answer of [
      await api.ask(literal),
      await api.ask(withVariable, { input: { identifier: long, ...members } }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.errors.length).toBeLessThanOrEqual(2);
      expect(JSON.stringify(answer.body).length).toBeLessThan(4 * longestErrorMessage);
      expect(answer.body.message).toContain("unknown0");
    }
  });

  test("a short wrong input gives many errors, and the last says there are more", async () => {
    const few = names.slice(0, 30);
    for (const answer of [
      await api.ask(withLiteral(few.map((name) => `${name}: 1`).join(" "))),
      await api.ask(withVariable, { input: Object.fromEntries(few.map((name) => [name, 1])) }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toHaveLength(maximumErrors + 1);
      expect(answer.body.errors.at(-1).message).toContain("error limit reached");
    }
  });
});

test("a DateTime that is not a string is a client error, not an internal one", async () => {
  const message = expect.stringContaining("A DateTime must be a string");
  for (const answer of [
    await api.ask(withLiteral('identifier: "ann", birthDate: 5')),
    await api.ask(withVariable, { input: { identifier: "ann", birthDate: 5 } }),
  ])
    expect(answer).toMatchObject({
      status: 400,
      body: { message, errors: [{ message, locations: [{ line: 1 }] }] },
    });
  expect(api.logged).toEqual([]);
});
