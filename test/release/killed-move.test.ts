import { expect, onTestFinished, test } from "vitest";
import { moveData } from "../../packages/service/src/index.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { between, filled, isEmpty, type MovePlace, refusal, serverPlace, sumsOf } from "../moves/places.ts";
import { type PostgresServer, startPostgres } from "../support/postgres/postgres.ts";

const placeOn = (server: PostgresServer): MovePlace => ({
  place: { databaseUrl: server.url },
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
    const [from, to] = [await filled(await serverPlace(), "acme"), placeOn(server)];
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
  const [from, to] = [await filled(await serverPlace(), "acme"), await serverPlace()];
  const wrong = (place: MovePlace) => {
    const url = new URL(place.place.databaseUrl ?? "");
    url.password = "wrong-secret";
    return { databaseUrl: url.href };
  };
  for (const [places, option] of [
    [{ from: from.place, to: wrong(to) }, "--to-database-url or LADING_TO_DATABASE_URL"],
    [{ from: wrong(from), to: to.place }, "--database-url or LADING_DATABASE_URL"],
  ] as const)
    for (const tenant of [undefined, "acme"]) {
      const message = await refusal({ ...places, tenant });
      expect(message).toMatch(/^PostgreSQL at .* refuses the password of the user ".*": correct it\. /);
      expect(message).toContain(`The address of the database is ${option}.`);
      expect(message).not.toContain("wrong-secret");
    }
  await isEmpty(to);
});
