import type { Tenant } from "../../../storage/tenants/tenant.ts";
import type { Collection } from "../../../storage/unit-of-work/collection.ts";
import type { UnitOfWork } from "../../../storage/unit-of-work/unit-of-work.ts";
import type { RestoredRow, Row } from "../restored-row.ts";

export interface RuleContext {
  readonly unit: UnitOfWork;
  readonly tenant: Tenant;
  /** When the operation that is undone began: what it has replaced broke no rule that is older. */
  readonly since: string;
}

/**
 * A rule about a row, which the unit of work has as it is restored. Throws the `Rejection` of commands that keep the
 * rule.
 */
export type Rule<Of extends object = Row> = (
  context: RuleContext,
  row: RestoredRow<Of>,
) => void | Promise<void>;

/** The rules about the rows of a table. */
export interface TableRules {
  readonly table: string;
  readonly rules: readonly Rule[];
}

/** Names the rules about the rows of a collection. */
export const rulesOf = <Of extends object>({ table }: Collection<Of>, ...rules: Rule<Of>[]): TableRules => ({
  table,
  // The rows of a collection are of its type.
  rules: rules as unknown as Rule[],
});

/** Makes a rule about rows that are restored or change in one of some columns. */
export const onChange =
  <Of extends object>(
    names: readonly (keyof Of & string)[],
    rule: (context: RuleContext, restored: Of, current: Of | undefined) => void | Promise<void>,
  ): Rule<Of> =>
  (context, { current, restored }) => {
    if (restored === undefined || names.every((name) => restored[name] === current?.[name])) return;
    return rule(context, restored, current);
  };

/** Makes a rule about restored rows. */
export const onReturn =
  <Of extends object>(rule: (context: RuleContext, restored: Of) => void | Promise<void>): Rule<Of> =>
  (context, { current, restored }) =>
    current === undefined && restored !== undefined ? rule(context, restored) : undefined;

/** Makes a rule about removed rows. */
export const onRemoval =
  <Of extends object>(rule: (context: RuleContext, removed: Of) => void | Promise<void>): Rule<Of> =>
  (context, { current, restored }) =>
    current !== undefined && restored === undefined ? rule(context, current) : undefined;
