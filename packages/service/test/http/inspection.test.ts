import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import type { Phase } from "../../src/http/health.ts";
import { isUnavailable } from "../../src/responses/failures.ts";
import { openMetrics } from "../../src/telemetry/metrics.ts";
import { StoreUnavailable } from "../../src/uploads/object-store.ts";
import { type Api, openApi } from "./support.ts";

const refusedConnection = () =>
  Object.assign(new Error("connect ECONNREFUSED db-7.internal"), {
    code: "ECONNREFUSED",
    syscall: "connect",
  });

describe("a service whose database is down", () => {
  let api: Api;
  beforeEach(async () => {
    api = await openApi();
    api.logged.length = 0;
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await api.close();
  });
  const takeAway = (table = "") => {
    const query = api.database.query.bind(api.database);
    vi.spyOn(api.database, "query").mockImplementation((sql, parameters) => {
      if (sql.includes(table)) throw refusedConnection();
      return query(sql, parameters);
    });
  };

  test("a service without its database answers 503, and says that a mutation may have been executed", async () => {
    takeAway();
    const { status, body } = await api.ask("{ tenant { identifier } }");
    expect(status).toBe(503);
    expect(body.errors).toEqual([{ message: body.message, extensions: { code: "ServiceUnavailable" } }]);
    expect(body.message).toMatch(/before you repeat a mutation, check whether it was executed/);
    expect(JSON.stringify(body)).not.toContain("db-7");
    await vi.waitFor(() =>
      expect(api.logged[0]).toMatchObject({ msg: expect.stringContaining("unreachable") }),
    );
  });

  test("a service that loses its database during a query answers 503", async () => {
    takeAway("FROM customers");
    const { status, body } = await api.ask(
      `{ tenant { identifier } customer(identifier: "c") { ... on Customer { identifier } ... on BasicError { error } } }`,
    );
    expect([status, body.errors[0].extensions.code]).toEqual([503, "ServiceUnavailable"]);
    expect(body.errors[0].path).toEqual(["customer"]);
  });

  test("a service without its database is live and not ready", async () => {
    takeAway();
    expect((await api.send({ method: "GET", url: "/health/live" })).status).toBe(200);
    expect(await api.send({ method: "GET", url: "/health/ready" })).toMatchObject({
      status: 503,
      body: { message: "The database is unreachable." },
    });
  });

  test("an unreachable object store and a full disk are outages too, and a defect is not", () => {
    expect(isUnavailable(new StoreUnavailable("503"))).toBe(true);
    expect(isUnavailable(Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" }))).toBe(
      true,
    );
    expect(isUnavailable(new TypeError("x is not a function"))).toBe(false);
  });
});

describe("a service", () => {
  test("a service that starts or stops is not ready", async () => {
    let phase: Phase = "starting";
    const api = await openApi({ phase: () => phase });
    const answer = async () => {
      const { status, body } = await api.send({ method: "GET", url: "/health/ready" });
      return [status, body.message];
    };
    expect(await answer()).toEqual([503, "The service is starting."]);
    phase = "ready";
    expect(await answer()).toEqual([200, undefined]);
    phase = "stopping";
    expect(await answer()).toEqual([503, "The service is stopping."]);
    await api.close();
  });

  test("the metrics leave out those of a database that is down", async () => {
    const api = await openApi({ open: engines[0]!.open });
    const metrics = openMetrics(api.database);
    metrics.operations.inc({ intent: "customer/create", status: "success" });
    const there = await metrics.text("prometheus");
    expect(there).toContain('lading_operations_total{intent="customer/create",status="success"} 1');
    expect(there).toContain('lading_tasks{status="running"} 0');
    expect(there).toContain("lading_queue_age_seconds 0");
    expect(there).toMatch(/process_resident_memory_bytes \d+/);
    vi.spyOn(api.database, "query").mockRejectedValue(refusedConnection());
    const away = await metrics.text("prometheus");
    expect(away).toContain("lading_operations_total");
    expect(away).not.toContain('lading_tasks{status="running"}');
    vi.restoreAllMocks();
    await api.close();
  });
});
