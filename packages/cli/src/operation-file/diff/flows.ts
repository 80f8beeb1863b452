import { partLimits } from "@lading/schema";
import type { Differences } from "./changes.ts";
import { type Comparison, comparedOf, nameOf } from "./comparison.ts";
import { fieldChanges, operation, same } from "./fields.ts";
import { type IndexedDump, operationsOf, partOperations } from "./indexed-dump.ts";
import type { Operation } from "./records.ts";

/**
 * Writes what differs in flows. A flow that loses stages keeps them until its items are out of them, which may be when
 * they are deleted; those without items go immediately where all are more than a flow may have.
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
 * A tenant has a stage of an identifier once: renames the stages that a flow loses to another one, with the items in
 * them, and puts the renamed flows in `renamed`. A flow that would need a stage which another one keeps is blocked.
 */
function* freedStages(comparison: Comparison, renamed: Map<string, Operation>): Differences {
  const { from, to, matches, deletes, blockedFlows } = comparison;
  const wanted = flowsByStage(to);
  const stored = flowsByStage(from);
  const isTaken = (name: string) => wanted.has(name) || stored.has(name);
  for (let number = 0; number < from.records.flow.length; number++) {
    const [flow] = operationsOf(from, from.records.flow, number) as [Operation];
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

/** A flow with other names of stages, also where an action moves items to them. */
function withNames(flow: Operation, names: Names): Operation {
  const isName = (key: string) => key === "identifier" || key === "targetStageIdentifier";
  const stages = JSON.parse(JSON.stringify(stagesOf(flow)), (key, value) =>
    isName(key) ? (names.get(value) ?? value) : value,
  );
  return { ...flow, stages };
}

/** Renames stages of a flow. Its items move while both are there, and while the flow accepts all. */
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
const stagesOf = ({ stages }: Operation) => (stages ?? []) as Stage[];

/** The flow of each stage. */
export function flowsByStage(dump: IndexedDump): Map<string, string> {
  const found = new Map<string, string>();
  const { flow: records } = dump.records;
  for (let number = 0; number < records.length; number++)
    for (const flow of operationsOf(dump, records, number))
      for (const { identifier } of stagesOf(flow)) found.set(identifier, String(flow.identifier));
  return found;
}
