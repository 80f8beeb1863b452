import { expect, onTestFinished, test } from "vitest";
import { moveData } from "../../packages/service/src/index.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import {
  between,
  filled,
  isEmpty,
  type MoveLocation,
  refusal,
  serverLocation,
  sumsOf,
} from "../moves/locations.ts";
import { type PostgresServer, startPostgres } from "../support/postgres/postgres.ts";

const locationOn = (server: PostgresServer): MoveLocation => ({
  location: { databaseUrl: server.url },
  async using(work) {
    const database = openPostgres(server.url);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  },
});

test.each([
  ["all data", undefined],
  ["one tenant", "acme"],
] as const)(
  "a target server killed while %s is moved to it has no row, and the same move succeeds once it is back",
  async (_, tenant) => {
    const server = await startPostgres({ durable: true });
    onTestFinished(() => server.stop());
    const [from, to] = [await filled(await serverLocation(), "acme"), locationOn(server)];
    const before = await from.using(sumsOf);
    let killed: Promise<void> | undefined;
    const onRows = (table: string) => {
      if (table === "operation_log_blocks") killed ??= server.kill();
    };
    expect(await refusal({ ...between(from, to, tenant), onRows })).toMatch(
      /^The target was lost \(.*\)\. Nothing was moved: the target has none of its rows\. Run the command again\.$/,
    );
    await killed;
    // Nobody listens now, so the move fails and says so.
    expect(await refusal(between(from, to, tenant))).toMatch(
      /^No PostgreSQL listens at .*--to-database-url or LADING_TO_DATABASE_URL\.$/,
    );
    await server.restart();
    await isEmpty(to);
    expect(await from.using(sumsOf)).toEqual(before);
    await moveData(between(from, to, tenant));
    const { webhook_events: events, ...others } = await to.using(sumsOf);
    const { webhook_events: delivered, ...expected } = before;
    expect(others).toEqual(expected);
    if (tenant === undefined) expect(events).toBe(delivered);
  },
);

test("a wrong password at either end is reported without showing it, and nothing is moved", async () => {
  const [from, to] = [await filled(await serverLocation(), "acme"), await serverLocation()];
  const wrong = (location: MoveLocation) => {
    const url = new URL(location.location.databaseUrl ?? "");
    url.password = "wrong-secret";
    return { databaseUrl: url.href };
  };
  for (const [locations, option] of [
    [{ from: from.location, to: wrong(to) }, "--to-database-url or LADING_TO_DATABASE_URL"],
    [{ from: wrong(from), to: to.location }, "--database-url or LADING_DATABASE_URL"],
  ] as const)
    for (const tenant of [undefined, "acme"]) {
      const message = await refusal({ ...locations, tenant });
      expect(message).toMatch(/^PostgreSQL at .* refuses the password of the user ".*": correct it\. /);
      expect(message).toContain(`The address of the database is ${option}.`);
      expect(message).not.toContain("wrong-secret");
    }
  await isEmpty(to);
});
