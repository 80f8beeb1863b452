import { collectionOf } from "../../storage/collections/all.ts";
import type { Queries } from "../../storage/database.ts";
import { type ReadingRoom, readImagesOf } from "../../storage/task-details/read-images.ts";
import { listStoredLogs } from "../../storage/task-details/read-logs.ts";
import { type BeforeImage, isAsLeft } from "../../storage/unit-of-work/before-images.ts";
import { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { logPageBytes } from "../logs.ts";

/** A row created by an operation other than a plan's: its image has no values. */
export interface CreatedRow {
  readonly index: number;
  readonly image: BeforeImage;
}

export type StoredRow = Record<string, unknown>;

/** Rows read together, of up to about a MiB each. */
const rowsAtOnce = 20;

/** Entries read together after an operation. */
const entriesAtOnce = 50;

/** Finds the values of rows that a task's operations created, where the stored rows are as the operations left them. */
export class CreatedRows {
  readonly #queries: Queries;
  readonly #key: { readonly tenantId: string; readonly taskId: string };
  readonly #room: ReadingRoom;
  /** The entries from an index on that are read, by index and time. */
  #started: { readonly index: number; readonly startedAt: string }[] = [];
  /** The later operations of the same millisecond whose images are read, and the rows that they changed. */
  readonly #changed = new Map<number, Promise<ReadonlySet<string>>>();

  constructor(
    queries: Queries,
    key: { readonly tenantId: string; readonly taskId: string },
    room: ReadingRoom,
  ) {
    this.#queries = queries;
    this.#key = key;
    this.#room = room;
  }

  /**
   * Yields those of the rows, ordered by operation, that are still wanted in their turn, with the stored row; undefined
   * if it was changed or deleted since. Returns the first operation for which there was no room.
   */
  async *read(
    rows: readonly CreatedRow[],
    isWanted: (created: CreatedRow) => boolean = () => true,
  ): AsyncGenerator<readonly [CreatedRow, StoredRow | undefined], number | undefined> {
    for (let rest = rows.filter(isWanted); rest.length > 0; rest = rest.slice(rowsAtOnce).filter(isWanted)) {
      const portion = rest.slice(0, rowsAtOnce);
      if (this.#room.characters <= 0) return portion[0]?.index;
      const unit = await this.#load(portion);
      for (const created of portion) {
        const row = await this.#asLeft(unit, created);
        // Then the images of later operations may not have been read to the end.
        if (this.#room.characters <= 0) return created.index;
        this.#room.characters -= row === undefined ? 0 : JSON.stringify(row).length;
        yield [created, row];
      }
    }
    return undefined;
  }

  async #load(rows: readonly CreatedRow[]): Promise<UnitOfWork> {
    const unit = new UnitOfWork(this.#queries, this.#key.tenantId, "none");
    await unit.prefetch((prefetch) => {
      for (const { image } of rows) {
        const collection = collectionOf(image.table);
        if (collection) prefetch<StoredRow, string>(collection, "key", image.key);
      }
    });
    return unit;
  }

  async #asLeft(unit: UnitOfWork, { index, image }: CreatedRow): Promise<StoredRow | undefined> {
    const collection = collectionOf(image.table);
    const row = collection && (await unit.get<StoredRow>(collection, ...image.key));
    if (collection === undefined || row === undefined) return undefined;
    const [own, ...later] = await this.#sameTime(index);
    if (own?.index !== index || !isAsLeft(collection, image, row, own.startedAt)) return undefined;
    for (const entry of later) if ((await this.#changedBy(entry.index)).has(rowText(image))) return undefined;
    return row;
  }

  /** The entries of an operation and of the following ones that started in the same millisecond. */
  async #sameTime(index: number) {
    if (!this.#started.some((entry) => entry.index === index)) this.#started = await this.#entriesFrom(index);
    for (;;) {
      const [own, ...later] = this.#started.filter((entry) => entry.index >= index);
      const end = later.findIndex(({ startedAt }) => startedAt !== own?.startedAt);
      if (own === undefined || end !== -1) return own ? [own, ...later.slice(0, end)] : [];
      const more = await this.#entriesFrom((later.at(-1) ?? own).index + 1);
      if (more.length === 0) return [own, ...later];
      this.#started = [own, ...later, ...more];
    }
  }

  async #entriesFrom(index: number) {
    const { tenantId, taskId } = this.#key;
    const request = { first: entriesAtOnce, after: String(index - 1) };
    const bounds = { bytes: logPageBytes };
    const { nodes } = await listStoredLogs(this.#queries, tenantId, { operationId: taskId }, request, bounds);
    return nodes.map(({ index, startedAt }) => ({ index, startedAt }));
  }

  #changedBy(index: number): Promise<ReadonlySet<string>> {
    const known = this.#changed.get(index) ?? this.#readChanged(index);
    this.#changed.set(index, known);
    return known;
  }

  async #readChanged(index: number): Promise<ReadonlySet<string>> {
    const rows = new Set<string>();
    for await (const { images } of readImagesOf(this.#queries, this.#key, [index], this.#room))
      for (const image of images) if (image.before !== null) rows.add(rowText(image));
    return rows;
  }
}

const rowText = ({ table, key }: BeforeImage): string => JSON.stringify([table, key]);
