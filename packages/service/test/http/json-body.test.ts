import { fileLimits } from "@lading/schema";
import { describe, expect, test } from "vitest";
import { maximumMembers } from "../../src/http/limits/json-body.ts";
import { headersOf, useApi } from "./support.ts";

const api = useApi();

async function post(payload: string) {
  const token = { id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret };
  const headers = { ...headersOf(token), "content-type": "application/json" };
  const { status, body } = await api.send({ method: "POST", url: "/@shop", headers, payload });
  return [status, body.errors?.[0].extensions.code ?? body.data];
}

const body = (variable: string) => `{"query": "{ tenant { identifier } }", "variables": {"a": ${variable}}}`;
const answer = [200, { tenant: { identifier: "shop" } }];

describe("the JSON of a request", () => {
  test("a request with more JSON values than an operation may have is refused", async () => {
    const others = 4; // two objects, two commas
    const list = (values: number) => `[${"1,".repeat(values - 1)}1]`;
    expect(await post(body(list(fileLimits.values + 1)))).toEqual([400, "TooManyValues"]);
    expect(await post(body(list(fileLimits.values - others)))).toEqual(answer);
  });

  test("a request with an object of more than a thousand members is refused", async () => {
    const object = (members: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, i) => [`k${i}`, [i, { a: i }]])));
    expect(await post(body(object(maximumMembers + 1)))).toEqual([400, "TooManyValues"]);
    expect(await post(body(`[${object(maximumMembers)}, ${object(maximumMembers)}]`))).toEqual(answer);
  });

  test("the texts of a request may have any number of commas and brackets", async () => {
    const text = JSON.stringify(`"{,[\\"`.repeat(fileLimits.values));
    expect(await post(body(text))).toEqual(answer);
  });

  test("a request that is not JSON, or would name a prototype, is refused", async () => {
    expect((await post(body('"a'))).slice(0, 1)).toEqual([400]);
    expect((await post("")).slice(0, 1)).toEqual([400]);
    expect((await post(body('{"__proto__": {}}'))).slice(0, 1)).toEqual([400]);
  });
});
