import {
  type EntityKind,
  entityKindOf,
  type Intent,
  intents,
  isObject,
  keyFieldOf,
  type Payload,
  quoted,
} from "@lading/schema/internal";
import type { CommandContext, CommandResult } from "../domain/command.ts";
import { Rejection, reject } from "../errors.ts";
import { collectionOf, tableOf } from "../storage/collections/all.ts";
import { itemContents } from "../storage/collections/item-contents.ts";
import { items } from "../storage/collections/items.ts";
import { productVariants } from "../storage/collections/product-variants.ts";
import { topicContents } from "../storage/collections/topic-contents.ts";
import { topics } from "../storage/collections/topics.ts";
import type { BeforeImage } from "../storage/unit-of-work/before-images.ts";
import type { KeyPart } from "../storage/unit-of-work/collection.ts";
import type { Mark, UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import { commandOf } from "./registry.ts";

/** A row that clients read as an entity, or as a part of one. */
export type RowKey = Pick<BeforeImage, "table" | "key">;

/** The condition that what a command changes is as it was at a time. */
export interface Condition {
  /** An `updatedAt` as a client read it: RFC 3339. */
  readonly since: string;
  /**
   * The newest `updatedAt` that others than the same task, or its line of retries, have given a row, from one of a time
   * on; null if there is none, or a time not after `since`. Without it all are of others.
   */
  readonly foreign?: (row: RowKey, writtenAt: string, since: string) => Promise<string | null>;
  /** The first of the rows that was written at a time, by an operation that is undone. */
  readonly undone: (unit: UnitOfWork, rows: readonly RowKey[], at: string) => Promise<RowKey | undefined>;
  /** Ends the message of a conflict that may be with the task itself. */
  readonly doubt?: string;
}

/**
 * Executes a command. With a condition, it rejects with `ChangedSinceError` if its entity was changed after that time,
 * or is gone; the caller rolls back what it wrote. A command that changes nothing succeeds.
 */
export function executeIf<I extends Intent>(
  condition: Condition | undefined,
  context: CommandContext,
  intent: I,
  payload: Payload<I>,
): Promise<CommandResult> {
  const execute = () => commandOf(intent).execute(context, payload);
  if (condition === undefined) return execute();
  const since = new Date(condition.since).toISOString();
  return executeUnchanged({ ...condition, since }, context, { intent, payload, execute });
}

async function executeUnchanged(
  condition: Condition,
  { unit, now }: CommandContext,
  { intent, payload, execute }: { intent: Intent; payload: object; execute: () => Promise<CommandResult> },
): Promise<CommandResult> {
  const { since } = condition;
  const mark = unit.mark();
  let result: CommandResult;
  try {
    result = await execute();
  } catch (error) {
    throw isOfMissing(error, intent)
      ? new Rejection("ChangedSinceError", `${error.message}: ${gone(since)}`)
      : error;
  }
  if (result.action === "unchanged") return result;
  if (result.action === "created")
    reject("ChangedSinceError", `This would create a ${intents[intent].subject}: ${gone(since)}`);
  const rows = comparedRows(unit, unit.before(mark, now), { intent, payload, ...result });
  await requireUnchanged(unit, rows, mark, condition);
  return result;
}

const gone = (time: string) => `the one that was last changed at ${time} is gone, or has another key`;

/** The fields that name what an operation changes, and nothing else. */
const namingFields: ReadonlySet<unknown> = new Set(["sku", "resourceIdentifier", "identifier"]);

/** True for the rejection of a command whose own entity does not exist. */
function isOfMissing(error: unknown, intent: Intent): error is Rejection {
  if (!(error instanceof Rejection) || !error.name.endsWith("NotFoundError")) return false;
  const [field, ...within] = error.errors[0]?.path ?? [];
  return within.length === 0 && (field === keyFieldOf(kindOf(intent)) || namingFields.has(field));
}

const isOfVariant = (intent: Intent): boolean =>
  intent.startsWith("product/variant/") || intent === "item/updateComponent/sku";

/** The kind of entity that an intent changes, or of which it changes a part. */
function kindOf(intent: string): EntityKind {
  const kind = entityKindOf(intent);
  if (kind !== undefined) return kind;
  const end = intent.lastIndexOf("/");
  if (end === -1) throw new Error(`${intent} changes no kind of entity`);
  return kindOf(intent.slice(0, end));
}

interface Done extends CommandResult {
  readonly intent: Intent;
  readonly payload: object;
}

/**
 * The rows whose `updatedAt` clients read as that of the entity, and those of its parts that the operation listed and
 * replaced, or deleted: not those it wrote as a consequence, such as other languages of shared content.
 */
function comparedRows(unit: UnitOfWork, images: readonly BeforeImage[], done: Done): RowKey[] {
  const { intent, output, action } = done;
  const payload: { language?: unknown; sku?: unknown; variants?: unknown } = done.payload;
  const written = images.filter(({ before }) => before !== null);
  if (isOfVariant(intent))
    return written.filter(({ table, key, before }) => {
      if (table !== productVariants.table) return false;
      const { sku } = { ...unit.loaded(productVariants, ...key), ...before } as { sku?: unknown };
      return sku === payload.sku;
    });
  const { table, key } = tableOf(kindOf(intent));
  const id = keyIn(output, key[0]);
  const isDeleted = action === "deleted";
  const isPart: Readonly<Record<string, (image: BeforeImage) => boolean>> = {
    [itemContents.table]: ({ key: [item, , version] }) => isDeleted && item === id && version === "draft",
    [productVariants.table]: ({ before }) =>
      isDeleted || (payload.variants !== undefined && isChosen(before)),
    [topicContents.table]: ({ key: [, language] }) => isDeleted || language === payload.language,
  };
  const parts = written.filter((image) => isPart[image.table]?.(image));
  return [{ table, key: [id] }, ...contentsOf(table, id, payload.language, isDeleted), ...parts];
}

/** The contents in a language, which clients read as one entity with its row. */
function contentsOf(table: string, id: KeyPart, language: unknown, isDeleted: boolean): RowKey[] {
  if (typeof language !== "string" || isDeleted) return [];
  if (table === items.table) return [{ table: itemContents.table, key: [id, language, "draft"] }];
  return table === topics.table ? [{ table: topicContents.table, key: [id, language] }] : [];
}

/** The key in a command's output, where an item's is `{ id: { id, language } }`. */
function keyIn(output: Readonly<Record<string, unknown>>, name: string): string {
  const named = output[name];
  const value = isObject(named) ? (named.id ?? named.value) : named;
  if (typeof value !== "string") throw new Error(`an output has no ${name}: ${Object.keys(output)}`);
  return value;
}

/** False for a variant of which only the place among its siblings changed. */
const isChosen = (before: object | null): boolean =>
  Object.keys(before ?? {}).some((name) => !["position", "isDefault", "updatedAt"].includes(name));

async function requireUnchanged(
  unit: UnitOfWork,
  rows: readonly RowKey[],
  mark: Mark,
  condition: Condition,
): Promise<void> {
  const { since } = condition;
  const times: (string | null)[] = [];
  for (const row of rows) times.push(await timeBefore(unit, row, mark, condition));
  // An undo restores the earlier time. Where there is the one that was read, there was none.
  const undone = times.includes(since) ? undefined : await condition.undone(unit, rows, since);
  if (undone !== undefined)
    refuse(await nameOf(unit, undone, mark), `has been restored by an undo of its change at ${since}`);
}

/** The row's `updatedAt` before the command, or before those of the same task; null if there was none. */
async function timeBefore(
  unit: UnitOfWork,
  row: RowKey,
  mark: Mark,
  { since, foreign, doubt }: Condition,
): Promise<string | null> {
  const collection = collectionOf(row.table)!;
  const timeAt = async (when: Mark) => {
    const { updatedAt } = (await unit.at<Record<string, unknown>>(when, collection, ...row.key)) ?? {};
    return typeof updatedAt === "string" ? updatedAt : null;
  };
  let time = await timeAt(mark);
  if (time !== null && time > since) time = await timeAt(0);
  if (time !== null && time > since && foreign !== undefined) time = await foreign(row, time, since);
  if (time !== null && time > since)
    refuse(await nameOf(unit, row, mark), `was changed at ${time}, after ${since}`, doubt);
  return time;
}

const refuse = (name: string, change: string, doubt = ""): never =>
  reject("ChangedSinceError", `The ${name} ${change}: read it again, and decide by what it is now${doubt}`);

/** `product variant "mug"`, `customer "ann"`, `item 6561f0c2a1b2c3d4e5f60718 in "en"` */
async function nameOf(unit: UnitOfWork, { table, key }: RowKey, mark: Mark): Promise<string> {
  const [id, language] = key;
  const { sku } = (await unit.at<Record<string, unknown>>(mark, collectionOf(table)!, ...key)) ?? {};
  const name = String(sku ?? id);
  const title = table.replace(/(_content)?s$/, "").replaceAll("_", " ");
  const which = /^[0-9a-f]{24}$/.test(name) ? name : quoted(name);
  return language === undefined ? `${title} ${which}` : `${title} ${which} in ${quoted(String(language))}`;
}
