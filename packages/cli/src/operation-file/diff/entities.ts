import { isObject, payloads } from "@lading/schema";
import type { Differences, Noun } from "./changes.ts";
import { type Comparison, comparedOf, nameOf } from "./comparison.ts";
import { fieldChanges, operation } from "./fields.ts";
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
