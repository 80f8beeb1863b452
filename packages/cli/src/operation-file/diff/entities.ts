import { isObject, partLimits, payloads } from "@lading/schema";
import type { Differences, Noun } from "./changes.ts";
import { type Comparison, comparedOf, nameOf } from "./comparison.ts";
import { fieldChanges, operation, same } from "./fields.ts";
import { type IndexedDump, partOperations } from "./indexed-dump.ts";
import type { Operation } from "./records.ts";

/** A kind of entity that one operation writes. */
interface Kind {
  readonly noun: Noun;
  readonly update: string;
  /** The field that identifies it in an update. */
  readonly id: "id" | "identifier";
  /** Fields that an update takes and never changes. */
  readonly fixed?: readonly string[];
}

/** Kinds of entities that one operation writes. */
export const entityKinds = {
  order: { noun: "order", update: "order/update", id: "id" },
  customerGroup: { noun: "customer group", update: "customer/group/update", id: "identifier" },
  customer: { noun: "customer", update: "customer/update", id: "identifier" },
  priceList: { noun: "price list", update: "pricelist/update", id: "identifier" },
  contract: {
    ...{ noun: "contract", update: "subscription-contract/update", id: "id" },
    fixed: ["customerIdentifier"],
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** Writes what differs in entities of one kind. */
export function* entityDifferences(comparison: Comparison, kind: keyof typeof entityKinds): Differences {
  const { noun, update, id, fixed = [] }: Kind = entityKinds[kind];
  const { changes } = comparison;
  for (const { before, after } of comparedOf(comparison, kind)) {
    const entity = withWholeCustomer(after[0]!);
    if (before === undefined) {
      changes.note(noun, "created", nameOf(entity));
      yield entity;
      continue;
    }
    const stored = withWholeCustomer(before[0]!);
    const { [id]: own, ...fieldsBefore } = stored;
    const { [id]: _, ...fields } = entity;
    const difference = fieldChanges(update, fieldsBefore, fields, fixed);
    for (const field of difference.fixed)
      changes.remains(`${field} of ${noun}s, which no operation changes`, nameOf(entity));
    if (difference.fields === undefined) continue;
    changes.note(noun, "updated", nameOf(entity));
    yield operation(update, { [id]: own, ...difference.fields });
  }
}

/**
 * An order with all fields of its customer: what is absent would be filled from the stored customer, or kept from the
 * one before. Nothing and an empty list mean the same.
 */
function withWholeCustomer(entity: Operation): Operation {
  const { customer } = entity;
  if (!isObject(customer)) return entity;
  const fields = Object.keys(payloads["customer/create"].shape).toSorted();
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const whole = fields.map((name) => [name, isEmpty(customer[name]) ? null : (customer[name] ?? null)]);
  return { ...entity, customer: Object.fromEntries(whole) };
}

/**
 * Writes what differs in flows. A flow that loses stages keeps them until its items are out of them, which may be when
 * they are deleted; those without items go at once where all are more than a flow may have.
 */
export function* flowDifferences(comparison: Comparison): Differences {
  const { changes, afterItems } = comparison;
  for (const { before, after } of comparedOf(comparison, "flow")) {
    const flow = after[0]!;
    const { identifier } = flow;
    const lifted = restrict(comparison, String(identifier));
    if (before === undefined) {
      changes.note("flow", "created", nameOf(flow));
      yield flow;
      continue;
    }
    const dropped = stagesOf(before[0]!).filter(
      (stage) => !stagesOf(flow).some((other) => other.identifier === stage.identifier),
    );
    const hasRoom = stagesOf(flow).length + dropped.length <= partLimits.flowStages;
    const stages = [...stagesOf(flow), ...(hasRoom ? dropped : withItems(comparison.from, dropped))];
    const kept = dropped.length === 0 ? flow : { ...flow, stages };
    const { fields, fixed } = fieldChanges("flow/update", before[0]!, kept);
    for (const field of fixed) changes.remains(`${field} of flows, which no operation changes`, nameOf(flow));
    const isUpdated = fields !== undefined || lifted !== undefined;
    if (isUpdated) changes.note("flow", "updated", nameOf(flow));
    if (dropped.length > 0)
      afterItems.push({ write: operation("flow/update", { identifier, stages: stagesOf(flow) }), isUpdated });
    const changed = { ...fields, ...lifted };
    if (Object.keys(changed).length > 0) yield operation("flow/update", { identifier, ...changed });
  }
}

/** Puts the restrictions of a flow behind its items where they differ; returns the field that lifts the old ones. */
function restrict({ from, to, restrictions }: Comparison, identifier: string): object | undefined {
  const [before, after] = [from.restrictions.get(identifier), to.restrictions.get(identifier)];
  if (same(before, after)) return undefined;
  if (after !== undefined) restrictions.push(after);
  return before === undefined ? {} : { restrictions: null };
}

/** Those of some stages that have items, without their actions: these may be about the others. */
function withItems(dump: IndexedDump, stages: readonly Stage[]): Stage[] {
  const operations = [...partOperations(dump, "item/flow/stage/addItems")];
  const named = new Set(operations.map(({ stageIdentifier }) => stageIdentifier));
  return stages.filter(({ identifier }) => named.has(identifier)).map((stage) => ({ ...stage, actions: [] }));
}

interface Stage {
  readonly identifier: string;
}

/** The stages of a flow. */
export const stagesOf = ({ stages }: Operation) => (stages ?? []) as Stage[];
