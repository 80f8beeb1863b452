import { describe, expect, test } from "vitest";
import { callables } from "../../../../test/support/generated/calls.ts";
import { coreSchema } from "../../src/graphql/core-schema.ts";
import { operatorSchema } from "../../src/graphql/operator/schema.ts";
import { operatorToken, useApi } from "../http/support.ts";

const api = useApi();

const integers = [-(2 ** 31), -1, 800_000, 2 ** 31 - 1];
/** Around the years that JavaScript, ISO 8601 and PostgreSQL can write. */
const dates = [
  ...["-271821-04-20T00:00:00Z", "-004713-01-01T00:00:00Z", "0000-01-01", "0001-01-01T00:00:00+14:00"],
  ...["9999-12-31T23:59:59-12:00", "+010000-01-01T00:00:00Z", "+275760-09-13T00:00:00Z", "2030-13-45"],
];
const cursors = [
  ...["0", "999999999", "9".repeat(30), "-1", "1e9"],
  ...["f".repeat(24), Buffer.from('["9"]').toString("base64url")],
];
const isCursor = (type: string, name: string) => type === "String" && /^(?:after|before)$/.test(name);
const ofType = (wanted: string) => (type: string, name: string) =>
  type === wanted && name !== "first" && name !== "last";
const own = (name: string) => (/^(?:tenantI|i)dentifier$/.test(name) ? "shop" : undefined);

const kinds = [
  { what: "integers", isLeaf: ofType("Int"), values: integers },
  { what: "dates", isLeaf: ofType("DateTime"), values: dates },
  { what: "cursors", isLeaf: isCursor, values: cursors },
];
const apis = [
  { name: "Core API", schema: coreSchema(), url: "/@shop" },
  { name: "operator's API", schema: operatorSchema(), url: "/operator" },
];

describe.each(apis)("the $name", ({ schema, url }) => {
  test.each(kinds)("has no defect for $what that are out of range", async ({ isLeaf, values }) => {
    const headers = { ...(await api.tokenHeaders("admin")), authorization: `Bearer ${operatorToken}` };
    for (const { name, leaves, call } of callables(schema, isLeaf))
      for (const leaf of leaves) {
        const payload = call(values, leaf, own);
        const { status, body } = await api.send({ method: "POST", url, headers, payload });
        const sent = `${name} ${leaf.join(".")} ${JSON.stringify(body).slice(0, 300)}`;
        expect.soft([status, api.logged.splice(0)], sent).toEqual([200, []]);
      }
  });
});
