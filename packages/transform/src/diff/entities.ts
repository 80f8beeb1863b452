import { type EntityKind, isObject, keyFieldOf, nounOf, payloads } from "@lading/schema/internal";
import { type Differences, wordsOf } from "./changes.ts";
import { type Comparison, comparedOf, nameOf } from "./comparison.ts";
import { fieldChanges, operation } from "./fields.ts";
import type { Operation, RecordKind } from "./indexed-dump.ts";

/** Fields that updates accept but never change. */
const fixedFields: Partial<Readonly<Record<EntityKind, readonly string[]>>> = {
  contract: ["customerIdentifier"],
};

/** A kind of entity written by a single operation. */
export type PlainKind = Exclude<RecordKind, "topic" | "item" | "flow">;

/** Writes the differences in one kind's entities. */
export function* entityDifferences(comparison: Comparison, kind: PlainKind): Differences {
  const [noun, id, fixed] = [wordsOf(kind), keyFieldOf(kind), fixedFields[kind]];
  const update = `${nounOf(kind).intents[0]}/update`;
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
 * An order with all fields of its customer: absent ones would be filled in from the stored or the previous customer.
 * Absent and empty lists are equivalent.
 */
function withWholeCustomer(entity: Operation): Operation {
  const { customer } = entity;
  if (!isObject(customer)) return entity;
  const fields = Object.keys(payloads["customer/create"].shape).toSorted();
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const whole = fields.map((name) => [name, isEmpty(customer[name]) ? null : (customer[name] ?? null)]);
  return { ...entity, customer: Object.fromEntries(whole) };
}
