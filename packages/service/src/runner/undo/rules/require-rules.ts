import { Rejection, reject } from "../../../errors.ts";
import { type RestoredRow, rowName } from "../restored-row.ts";
import { namedSettings } from "./named-settings.ts";
import { references } from "./references.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { treeRules } from "./trees.ts";

const tables = [...treeRules, ...namedSettings, ...references];

const rules: ReadonlyMap<string, readonly Rule[]> = new Map(
  tables.map(({ table }) => [
    table,
    tables.filter((other) => other.table === table).flatMap(({ rules }) => rules),
  ]),
);

/**
 * Rejects restored rows with `ConflictError` if they break a rule that commands enforce and the database doesn't. The
 * rows are those of one operation, and already in the unit of work.
 */
export async function requireRules(context: RuleContext, rows: readonly RestoredRow[]): Promise<void> {
  for (const row of rows)
    for (const rule of rules.get(row.collection.table) ?? []) await requireRule(context, rule, row, rows);
}

async function requireRule(
  context: RuleContext,
  rule: Rule,
  row: RestoredRow,
  rows: readonly RestoredRow[],
): Promise<void> {
  try {
    await rule(context, row);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const ofEntity = rows.flatMap(({ key, restored, current }) =>
      key[0] === row.key[0] ? [restored ?? current ?? {}] : [],
    );
    const change = row.restored === undefined ? "removed" : "restored";
    reject(
      "ConflictError",
      `${rowName(row.collection, row.key, ...ofEntity)} cannot be ${change}. ${error.message}`,
    );
  }
}
