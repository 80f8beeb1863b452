import type { Tenant } from "../../../storage/tenants/tenant.ts";
import type { Collection } from "../../../storage/unit-of-work/collection.ts";
import type { UnitOfWork } from "../../../storage/unit-of-work/unit-of-work.ts";
import type { RestoredRow, Row } from "../restored-row.ts";

export interface RuleContext {
  readonly unit: UnitOfWork;
  readonly tenant: Tenant;
  /** The start of the undone operation: the rows it replaced complied with all older rules. */
  readonly since: string;
}

/** A rule for a row, which the unit of work has in its restored state. Throws the same `Rejection` as commands. */
export type Rule<Of extends object = Row> = (
  context: RuleContext,
  row: RestoredRow<Of>,
) => void | Promise<void>;

/** The rules for a table's rows. */
export interface TableRules {
  readonly table: string;
  readonly rules: readonly Rule[];
}

/** Defines the rules for a collection's rows. */
export const rulesOf = <Of extends object>({ table }: Collection<Of>, ...rules: Rule<Of>[]): TableRules => ({
  table,
  // Rows of a collection have its row type.
  rules: rules as unknown as Rule[],
});

/** Makes a rule for rows that are restored, or changed in any of some columns. */
export const onChange =
  <Of extends object>(
    names: readonly (keyof Of & string)[],
    rule: (context: RuleContext, restored: Of, current: Of | undefined) => void | Promise<void>,
  ): Rule<Of> =>
  (context, { current, restored }) => {
    if (restored === undefined || names.every((name) => restored[name] === current?.[name])) return;
    return rule(context, restored, current);
  };

/** Makes a rule for rows that exist again. */
export const onReturn =
  <Of extends object>(rule: (context: RuleContext, restored: Of) => void | Promise<void>): Rule<Of> =>
  (context, { current, restored }) =>
    current === undefined && restored !== undefined ? rule(context, restored) : undefined;

/** Makes a rule for removed rows. */
export const onRemoval =
  <Of extends object>(rule: (context: RuleContext, removed: Of) => void | Promise<void>): Rule<Of> =>
  (context, { current, restored }) =>
    current !== undefined && restored === undefined ? rule(context, current) : undefined;
