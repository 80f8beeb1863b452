import type { Differences, Noun } from "./changes.ts";
import { type Comparison, comparedOf, nameOf } from "./comparison.ts";
import { fieldChanges, operation, same } from "./fields.ts";
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
    const entity = after[0]!;
    if (before === undefined) {
      changes.note(noun, "created", nameOf(entity));
      yield entity;
      continue;
    }
    const stored = before[0]!;
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
 * Writes what differs in flows. A flow that loses stages keeps them until its items are out of them, which may be when
 * they are deleted.
 */
export function* flowDifferences(comparison: Comparison): Differences {
  const { changes, afterItems } = comparison;
  for (const { before, after } of comparedOf(comparison, "flow")) {
    const flow = after[0]!;
    const name = nameOf(flow);
    const lifted = restrict(comparison, String(flow.identifier));
    if (before === undefined) {
      changes.note("flow", "created", name);
      yield flow;
      continue;
    }
    const { intent: _, ...stored } = before[0]!;
    const { intent: __, ...fields } = flow;
    const { fields: differing, fixed } = fieldChanges("flow/update", stored, fields);
    for (const field of fixed) changes.remains(`${field} of flows, which no operation changes`, name);
    if (differing === undefined && lifted === undefined) continue;
    changes.note("flow", "updated", name);
    const changed = { ...differing, ...lifted };
    if (Object.keys(changed).length === 0) continue;
    const dropped = stagesOf(before[0]!).filter(
      (stage) => !stagesOf(flow).some(({ identifier }) => identifier === stage.identifier),
    );
    const update = operation("flow/update", { identifier: flow.identifier, ...changed });
    if (dropped.length === 0) yield update;
    else {
      const kept = [...stagesOf(flow), ...dropped];
      yield operation("flow/update", { ...update, stages: kept });
      afterItems.push(operation("flow/update", { identifier: flow.identifier, stages: stagesOf(flow) }));
    }
  }
}

/** Puts the restrictions of a flow behind its items where they differ; returns the field that lifts the old ones. */
function restrict({ from, to, restrictions }: Comparison, identifier: string): object | undefined {
  const [before, after] = [from.restrictions.get(identifier), to.restrictions.get(identifier)];
  if (same(before, after)) return undefined;
  if (after !== undefined) restrictions.push(after);
  return before === undefined ? {} : { restrictions: null };
}

interface Stage {
  readonly identifier: string;
}

/** The stages of a flow. */
export const stagesOf = ({ stages }: Operation) => (stages ?? []) as Stage[];
