import type { Differences } from "../changes.ts";
import type { Comparison } from "../comparison.ts";
import { stagesOf } from "../entities.ts";
import { operation } from "../fields.ts";
import { type IndexedDump, operationsOf } from "../indexed-dump.ts";
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
  const { changes } = comparison;
  const flows = { from: flowsByStage(comparison.from), to: flowsByStage(comparison.to) };
  const differences = () =>
    partDifferences(comparison, intent, (write, side) => [partOf(write, side, flows)]);
  const leaving = new Map<string, string[]>();
  for (const { change, part } of differences()) {
    const [flow, item] = splitKey(part);
    if (change === "deleted") leaving.set(item, [...(leaving.get(item) ?? []), flow]);
  }
  for (const { change, part } of differences()) {
    const [, item] = splitKey(part);
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

/** The flow of each stage. */
function flowsByStage(dump: IndexedDump): Map<string, string> {
  const found = new Map<string, string>();
  const { flow: records } = dump.records;
  for (let number = 0; number < records.length; number++)
    for (const flow of operationsOf(dump, records, number))
      for (const { identifier } of stagesOf(flow)) found.set(identifier, String(flow.identifier));
  return found;
}
