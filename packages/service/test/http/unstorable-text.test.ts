import { beforeAll, describe, expect, test } from "vitest";
import { callables } from "../../../../test/support/generated/calls.ts";
import { coreSchema } from "../../src/graphql/core-schema.ts";
import { useApi } from "./support.ts";

/** Texts that no column takes, or that are unexpected, alone and within a key that looks valid. */
const texts = ["\0", `${"0".repeat(23)}\0`, "\ud800", "x".repeat(100_000)];

const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString("base64url");

describe("a text that no column takes", () => {
  let admin: Record<string, string>;
  const api = useApi();
  beforeAll(async () => {
    admin = await api.tokenHeaders("admin");
  });

  test.each(["events", "operations.jsonl"])("no task has an id that no column takes: %s", async (what) => {
    const get = (id: string) =>
      api.send({ method: "GET", url: `/@shop/tasks/${id}/${what}`, headers: admin });
    const message = "The id of a task cannot have a NUL character.";
    expect(await get("%00")).toEqual({
      status: 400,
      body: {
        message,
        errors: [{ message, extensions: { code: "ValidationError", errorName: "ValidationError" } }],
      },
    });
    expect((await get("%ff")).status).toBe(400);
    expect((await get("%ed%a0%80")).status).toBe(400);
    expect((await get("x".repeat(100))).status).toBe(404);
    expect((await get("x".repeat(10_000))).status).toBeGreaterThanOrEqual(400);
    expect(api.logged).toEqual([]);
  });

  test("a subscription does not find a task whose id no column takes", async () => {
    const query = `subscription ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { id } ... on BasicError { errorName message } } }`;
    for (const id of texts) {
      const payload = { query, variables: { id } };
      const { payload: events } = await api.server.inject({
        method: "POST",
        url: "/@shop",
        headers: admin,
        payload,
      });
      expect(events).toMatch(/"errorName":"(?:ValidationError|BulkTaskNotFoundError)"/);
    }
    expect(api.logged).toEqual([]);
  });

  test("a tenant's name and an image's key that no column takes are not found", async () => {
    for (const text of ["%00", "a%00", "%ff", "%ed%a0%80", "x".repeat(20_000)]) {
      for (const url of [`/@${text}`, `/@${text}/core`, `/@${text}/tasks/1/events`, `/images/${text}`]) {
        const method = url.includes("/tasks/") || url.startsWith("/images") ? "GET" : "POST";
        const { statusCode } = await api.server.inject({ method, url, headers: admin });
        expect([400, 404, 414], url.slice(0, 50)).toContain(statusCode);
      }
    }
    expect(api.logged).toEqual([]);
  });

  test("a cursor that no column takes is refused", async () => {
    for (const after of [cursorOf(["\0"]), cursorOf(["\ud800"]), cursorOf([1]), "\0", "9".repeat(30)]) {
      const query = `query ($after: String) { customers(after: $after) { ... on BasicError { errorName } ... on CustomerConnection { totalCount } } }`;
      expect(await api.field(query, { after }), after).toEqual({ errorName: "ValidationError" });
    }
    expect(api.logged).toEqual([]);
  });

  test("every query and mutation refuses a text that no column takes", async () => {
    for (const { name, call } of callables(coreSchema())) {
      const { query, variables } = call(["\0", "\ud800"]);
      const { status } = await api.ask(query, variables);
      expect([200, 400], name).toContain(status);
      expect(api.logged, name).toEqual([]);
    }
  });
});
