import { partLimits } from "@lading/schema/internal";
import type { Differences } from "./changes.ts";
import { type Comparison, comparedOf, nameOf } from "./comparison.ts";
import { fieldChanges, operation, same } from "./fields.ts";
import { type IndexedDump, type Operation, operationsOf, partOperations } from "./indexed-dump.ts";
import { type Part, partDifferences, type Side } from "./parts/parts.ts";

/**
 * Writes the differences in flows. Removed stages stay until their items have left or been deleted. If the flow would
 * exceed the maximum number of stages, removed stages without items are dropped immediately.
 */
export function* flowDifferences(comparison: Comparison): Differences {
  const { changes, afterItems, blockedFlows } = comparison;
  const renamed = new Map<string, Operation>();
  yield* freedStages(comparison, renamed);
  for (const { before, after } of comparedOf(comparison, "flow")) {
    const flow = after[0]!;
    const { identifier } = flow;
    if (blockedFlows.has(String(identifier))) {
      changes.remains("flows with a stage that another flow keeps", nameOf(flow));
      continue;
    }
    const lifted = restrict(comparison, String(identifier));
    if (before === undefined) {
      changes.note("flow", "created", nameOf(flow));
      yield flow;
      continue;
    }
    const stored = renamed.get(String(identifier)) ?? before[0]!;
    const dropped = stagesOf(stored).filter(
      (stage) => !stagesOf(flow).some((other) => other.identifier === stage.identifier),
    );
    const hasRoom = stagesOf(flow).length + dropped.length <= partLimits.flowStages;
    const stages = [...stagesOf(flow), ...(hasRoom ? dropped : withItems(comparison.from, dropped))];
    const kept = dropped.length === 0 ? flow : { ...flow, stages };
    const { fields, fixed } = fieldChanges("flow/update", stored, kept);
    for (const field of fixed) changes.remains(`${field} of flows, which no operation changes`, nameOf(flow));
    const isUpdated = fields !== undefined || lifted !== undefined;
    if (isUpdated) changes.note("flow", "updated", nameOf(flow));
    if (dropped.length > 0)
      afterItems.push({ write: operation("flow/update", { identifier, stages: stagesOf(flow) }), isUpdated });
    const changed = { ...fields, ...lifted };
    if (Object.keys(changed).length > 0) yield operation("flow/update", { identifier, ...changed });
  }
}

/**
 * Frees stage identifiers, which are unique per tenant: renames stages whose identifier moves to another flow, moves
 * their items, and records the renamed flows in `renamed`. Blocks flows that need a stage which another flow keeps.
 */
function* freedStages(comparison: Comparison, renamed: Map<string, Operation>): Differences {
  const { from, to, matches, deletes, blockedFlows } = comparison;
  const wanted = flowsByStage(to);
  const stored = flowsByStage(from);
  const isTaken = (name: string) => wanted.has(name) || stored.has(name);
  for (const number of from.records.flow.numbers()) {
    const [flow] = operationsOf(from, "flow", number) as [Operation];
    const identifier = String(flow.identifier);
    const lost = stagesOf(flow).filter(
      (stage) => (wanted.get(stage.identifier) ?? identifier) !== identifier,
    );
    if (lost.length === 0) continue;
    const hasRoom = stagesOf(flow).length + lost.length <= partLimits.flowStages;
    if ((deletes || matches.flow.isKept(number)) && hasRoom) {
      const names = new Map(lost.map((stage) => [stage.identifier, freeName(stage.identifier, isTaken)]));
      renamed.set(identifier, withNames(flow, names));
      yield* renaming(from, flow, names);
    } else for (const stage of lost) blockedFlows.add(wanted.get(stage.identifier)!);
  }
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  const next = `${name}-before`;
  return isTaken(next) ? freeName(next, isTaken) : next;
}

type Names = ReadonlyMap<string, string>;

/** A flow with renamed stages, including the targets of move actions. */
function withNames(flow: Operation, names: Names): Operation {
  const isName = (key: string) => key === "identifier" || key === "targetStageIdentifier";
  const stages = JSON.parse(JSON.stringify(stagesOf(flow)), (key, value) =>
    isName(key) ? (names.get(value) ?? value) : value,
  );
  return { ...flow, stages };
}

/** Renames stages of a flow. Items move while both stages exist, and while the flow has no restrictions. */
function* renaming(from: IndexedDump, flow: Operation, names: Names): Differences {
  const { identifier } = flow;
  const restrictions = from.restrictions.get(String(identifier))?.restrictions;
  const moves = [...partOperations(from, "item/flow/stage/addItems")].flatMap((write) => {
    const name = names.get(String(write.stageIdentifier));
    return name === undefined ? [] : [{ ...write, stageIdentifier: name }];
  });
  const { stages } = withNames(flow, names);
  if (moves.length > 0) {
    const added = [...names.values()].map((name) => ({ identifier: name, name }));
    yield operation("flow/update", {
      ...{ identifier, stages: [...stagesOf(flow), ...added] },
      ...(restrictions !== undefined && { restrictions: null }),
    });
    yield* moves;
  }
  yield operation("flow/update", { identifier, stages, ...(restrictions !== undefined && { restrictions }) });
}

/** Writes a flow's restrictions after its items, if they differ. Returns the field that lifts the old ones. */
function restrict({ from, to, restrictions }: Comparison, identifier: string): object | undefined {
  const [before, after] = [from.restrictions.get(identifier), to.restrictions.get(identifier)];
  if (same(before, after)) return undefined;
  if (after !== undefined) restrictions.push(after);
  return before === undefined ? {} : { restrictions: null };
}

/** The stages that have items, without their actions, which may refer to the other stages. */
function withItems(dump: IndexedDump, stages: readonly Stage[]): Stage[] {
  const operations = [...partOperations(dump, "item/flow/stage/addItems")];
  const named = new Set(operations.map(({ stageIdentifier }) => stageIdentifier));
  return stages.filter(({ identifier }) => named.has(identifier)).map((stage) => ({ ...stage, actions: [] }));
}

interface Stage {
  readonly identifier: string;
}

const stagesOf = ({ stages }: Operation) => (stages ?? []) as Stage[];

/** Maps each stage to its flow. */
function flowsByStage(dump: IndexedDump): Map<string, string> {
  const found = new Map<string, string>();
  for (const number of dump.records.flow.numbers())
    for (const flow of operationsOf(dump, "flow", number))
      for (const { identifier } of stagesOf(flow)) found.set(identifier, String(flow.identifier));
  return found;
}

const intent = "item/flow/stage/addItems";

interface FlowItem {
  readonly id: string;
  readonly language?: string;
}

/**
 * Writes the differences in the items of flows: their stage, version and settings, but not their order within a stage.
 * An item can only leave a flow by entering another one.
 */
export function* flowItemDifferences(comparison: Comparison): Differences {
  const { changes, blockedFlows } = comparison;
  const flows = { from: flowsByStage(comparison.from), to: flowsByStage(comparison.to) };
  const differences = () =>
    partDifferences(comparison, intent, (write, side) => [partOf(write, side, flows)]);
  const leaving = new Map<string, string[]>();
  const refusing = new Set<string>();
  for (const { change, part } of differences()) {
    const [flow, item] = splitKey(part);
    if (change === "deleted") leaving.set(item, [...(leaving.get(item) ?? []), flow]);
    else if (!blockedFlows.has(flow) && refuses(comparison, flow, item)) refusing.add(flow);
  }
  for (const identifier of refusing) {
    yield operation("flow/update", { identifier, restrictions: null });
    comparison.restrictions.push(comparison.to.restrictions.get(identifier)!);
  }
  for (const { change, part } of differences()) {
    const [flow, item] = splitKey(part);
    if (blockedFlows.has(flow)) continue;
    const [entered] = change === "created" ? (leaving.get(item)?.splice(0, 1) ?? []) : [];
    if (change === "deleted") continue;
    changes.note("item in a flow", change, part.name);
    yield entered === undefined
      ? part.write
      : operation(intent, { ...part.write, moveFromFlowIdentifier: entered });
  }
  for (const [item, left] of leaving)
    for (const flow of left)
      if (staysIn(comparison, item)) {
        comparison.heldFlows.add(flow);
        changes.remains("items in flows, which no operation removes", `${item.split("\0")[0]} in ${flow}`);
      }
}

/** True if a flow keeps its restrictions, and they are newer than an item in it that they exclude. */
function refuses({ from, to, matches }: Comparison, flow: string, item: string): boolean {
  const stored = from.restrictions.get(flow);
  if (stored === undefined || !same(stored, to.restrictions.get(flow))) return false;
  const number = matches.item.withId(item.split("\0")[0]!);
  if (number === undefined) return true;
  const { item: rule } = stored.restrictions as { item?: { acceptedShapeIdentifiers?: unknown[] } };
  const [{ shapeIdentifier }] = operationsOf(to, "item", number) as [Operation];
  return !(rule?.acceptedShapeIdentifiers ?? [shapeIdentifier]).includes(shapeIdentifier);
}

/** False if the item is deleted, which removes it from its flows. */
function staysIn({ from, matches, deletes }: Comparison, item: string): boolean {
  const number = from.records.item.withId(item.split("\0")[0]!);
  return !deletes || number === undefined || matches.item.isKept(number);
}

function splitKey({ key }: Part): [flow: string, item: string] {
  const end = key.indexOf("\0");
  return [key.slice(0, end), key.slice(end + 1)];
}

function partOf(
  write: Operation,
  side: Side,
  flows: Readonly<Record<Side, ReadonlyMap<string, string>>>,
): Part {
  const [item] = write.items as [FlowItem];
  const stage = String(write.stageIdentifier);
  const flow = flows[side].get(stage) ?? stage;
  const { intent: _, ...value } = write;
  return {
    ...{ key: `${flow}\0${item.id}\0${item.language ?? ""}`, name: `${item.id} in ${stage}`, write },
    value: JSON.stringify(value),
  };
}
