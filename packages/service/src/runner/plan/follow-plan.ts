import { Rejection } from "../../errors.ts";
import { changedComponents } from "../../storage/bulk-tasks/plans/changed-components.ts";
import { type NewIds, newIdsOf } from "../../storage/bulk-tasks/plans/new-ids.ts";
import { type PlannedRow, plannedRows } from "../../storage/bulk-tasks/plans/planned-rows.ts";
import { readBlockEntries } from "../../storage/task-details/read-blocks.ts";
import type { BeforeImage } from "../../storage/unit-of-work/before-images.ts";
import { keyText } from "../../storage/unit-of-work/mapped-collection.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { changesMoreThanTimes } from "../../tasks/changes/changes.ts";
import { isUnknownKey } from "../../uploads/keys.ts";
import type { OperationCheck } from "../execute/file-work.ts";
import { failed } from "../execute/run-operation.ts";
import { at, knownCollection, loadedOf } from "../undo/restore-rows.ts";
import { rowName } from "../undo/restored-row.ts";

type Row = Record<string, unknown>;

/**
 * Returns the check of a run that follows a plan. An operation may write the rows it writes in the plan, unchanged
 * since the plan saw them, and no other existing rows; otherwise it is rolled back and fails. A row is compared only at
 * the first operation of the plan that writes it, even if that one fails here: later ones are executed on the row as it
 * is. In a row, an operation may change the content of those components that it changes in the plan.
 */
export function followPlan(plan: { tenantId: string; taskId: string }): OperationCheck {
  const rowsOf = plannedRows(plan);
  let newIds: NewIds | null | undefined;
  return async ({ unit, transaction }, mark, entry) => {
    const planned = await rowsOf(transaction, entry.index);
    const isNewKey = async (key: string) => {
      newIds ??= await newIdsOf(transaction, plan);
      return newIds !== null && key >= newIds.first && key < newIds.end;
    };
    const change = await changeSince(unit, planned, unit.before(mark, entry.startedAt), isNewKey);
    if (change === undefined) return entry;
    unit.rollback(mark);
    const [inPlan] = await Array.fromAsync(readBlockEntries(transaction, plan, [entry.index]));
    const message = inPlan?.beforeTooLarge
      ? `This operation has too many or too large rows for the plan ${plan.taskId} to record. ` +
        "Execute the operation without a plan"
      : `${change} (plan ${plan.taskId}). Plan the file again, and look at what it would do now`;
    const { before: _, beforeTooLarge: __, imageKeys: ___, ...rest } = entry;
    return { ...rest, ...failed(new Rejection("ChangedSincePlanError", message)) };
  };
}

/** Says which of the rows an operation writes changed since its plan saw it; undefined if none did. */
async function changeSince(
  unit: UnitOfWork,
  planned: readonly PlannedRow[],
  written: readonly BeforeImage[],
  isNewKey: (key: string) => Promise<boolean>,
): Promise<string | undefined> {
  const images = new Map(written.map((image) => [nameOf(image), image]));
  const others = new Map<string, number>();
  for (const row of planned) {
    const name = nameOf(row);
    const image = images.get(name);
    const change = await changeOf(unit, planned, row, image);
    if (change !== undefined) return change;
    if (image !== undefined && (await writesOthers(row, image, isNewKey)))
      return `This operation would change other components than in its plan, as after a rename: ${lastChange(unit, image, written)}`;
    if (image === undefined && hasOtherKey(row)) others.set(row.table, (others.get(row.table) ?? 0) + 1);
    images.delete(name);
  }
  for (const image of images.values()) {
    if (image.before === null || !changesMoreThanTimes(image)) continue;
    const left = others.get(image.table) ?? 0;
    if (left === 0)
      return `This operation would change a row that its plan leaves unchanged: ${lastChange(unit, image, written)}`;
    others.set(image.table, left - 1);
  }
  return undefined;
}

async function changeOf(
  unit: UnitOfWork,
  planned: readonly PlannedRow[],
  row: PlannedRow,
  image: BeforeImage | undefined,
): Promise<string | undefined> {
  const collection = knownCollection(row);
  const name = () => rowName(collection, row.key, ...loadedOf(unit, planned, row.key));
  if (row.isNew) {
    const current = unit.loaded<Row>(collection, ...row.key);
    const existed = image === undefined ? current : image.before;
    return existed ? `${name()} was created${at(current?.createdAt)} after the plan saw none` : undefined;
  }
  if (typeof row.seen !== "string") return undefined;
  const current = await unit.get<Row>(collection, ...row.key);
  const before: Row | null | undefined =
    image === undefined ? current : image.before && { ...current, ...image.before };
  if (!before) return `${name()} was deleted after the plan saw it`;
  return before.updatedAt === row.seen
    ? undefined
    : `${name()} was changed${at(before.updatedAt)} after the plan saw it`;
}

/**
 * True if the operation changes components of the row that its plan leaves unchanged, as after a rename. The plan and
 * the run have different keys for a component that the file itself adds.
 */
async function writesOthers(
  { components }: PlannedRow,
  image: BeforeImage,
  isNewKey: (key: string) => Promise<boolean>,
): Promise<boolean> {
  if (components === undefined) return false;
  const planned = new Set(components);
  const others = changedComponents(image).filter((path) => !planned.delete(path));
  if (others.length === 0) return false;
  const added: string[] = [];
  for (const path of planned) {
    const keys = await Promise.all(path.split("/").map(isNewKey));
    if (keys.includes(true)) added.push(path);
  }
  return others.length > added.length;
}

const nameOf = ({ table, key }: Pick<BeforeImage, "table" | "key">): string => `${table} ${keyText(key)}`;

/** True if the run may have a row with another key: one created by the plan, or an image that it did not fetch. */
const hasOtherKey = ({ isNew, seen, key: [first] }: PlannedRow): boolean =>
  isNew ? typeof first === "string" && isUnknownKey(first) : seen === undefined;

function lastChange(
  unit: UnitOfWork,
  { before, ...image }: BeforeImage,
  written: readonly BeforeImage[],
): string {
  const collection = knownCollection(image);
  const row: Row = { ...unit.loaded<Row>(collection, ...image.key), ...before };
  const time = typeof row.updatedAt === "string" ? ` was last changed at ${row.updatedAt}` : "";
  return `${rowName(collection, image.key, row, ...loadedOf(unit, written, image.key))}${time}`;
}
