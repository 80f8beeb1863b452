import type { Differences } from "../changes.ts";
import type { Comparison } from "../comparison.ts";
import { operation, same } from "../fields.ts";
import { flowsByStage } from "../flows.ts";
import { operationsOf } from "../indexed-dump.ts";
import type { Operation } from "../records.ts";
import { type Part, partDifferences, type Side } from "./parts.ts";

const intent = "item/flow/stage/addItems";

interface FlowItem {
  readonly id: string;
  readonly language?: string;
}

/**
 * Writes what differs in the items of flows: their stage, version and settings. Their order in a stage is not compared.
 * An item leaves a flow only by entering another one.
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
        changes.remains("items in flows, which no operation takes out", `${item.split("\0")[0]} in ${flow}`);
      }
}

/** True for a flow that keeps its restrictions, which are younger than an item in it and do not accept that. */
function refuses({ from, to, matches }: Comparison, flow: string, item: string): boolean {
  const stored = from.restrictions.get(flow);
  if (stored === undefined || !same(stored, to.restrictions.get(flow))) return false;
  const id = item.split("\0")[0]!;
  const found = from.records.item.withId(id);
  const number = found === undefined ? to.records.item.withId(id) : matches.item.toOf(found);
  if (number === undefined) return true;
  const { item: rule } = stored.restrictions as { item?: { acceptedShapeIdentifiers?: unknown[] } };
  const [{ shapeIdentifier }] = operationsOf(to, to.records.item, number) as [Operation];
  return !(rule?.acceptedShapeIdentifiers ?? [shapeIdentifier]).includes(shapeIdentifier);
}

/** False for an item that is deleted, and leaves its flows so. */
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
