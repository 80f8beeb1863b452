import type { Intent, Payload } from "@lading/schema";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { sharedPostgres } from "../../../../test/support/engines.ts";
import { executeCommand } from "../../src/commands/execute.ts";
import type { CommandResult } from "../../src/domain/command.ts";
import { Rejection } from "../../src/errors.ts";
import type { Database } from "../../src/storage/database.ts";
import { operator } from "../../src/tenants/audit.ts";
import { prepare } from "../commands/item/support.ts";
import { openShop, type Shop, type WrittenPayload } from "./commands.ts";

/** Opens the shared PostgreSQL for the tests of a `describe`, and a new shop in it before each of them. */
export function onPostgres(opened: (shop: Shop) => void): void {
  let database: Database;
  beforeAll(async () => {
    database = await sharedPostgres();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    const shop = await openShop(database);
    await prepare(shop);
    opened(shop);
  });
}

/** Executes an intent as a GraphQL mutation does: in its own transaction that is retried on a conflict. */
export const executeAlone = (
  shop: Shop,
  intent: Intent,
  payload: WrittenPayload,
): Promise<CommandResult | Rejection> =>
  executeCommand(shop, { tenant: shop.tenant, actor: operator }, intent, payload as Payload<Intent>);

/** Executes operations concurrently; returns the action, or the name of the error, of each. */
export async function race(
  shop: Shop,
  operations: readonly (readonly [Intent, WrittenPayload])[],
): Promise<string[]> {
  const results = await Promise.all(
    operations.map(([intent, payload]) => executeAlone(shop, intent, payload)),
  );
  return results.map((result) => (result instanceof Rejection ? result.name : result.action));
}
