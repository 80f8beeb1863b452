import {
  byKind,
  type EntityKind,
  entityIdOf,
  entityKindOf,
  isObject,
  naturalKeysOf,
  nounOf,
  pathLocationOf,
  shortened,
} from "@lading/schema";
import {
  type IndexedDump,
  isTemporary,
  KeyTable,
  keyOf,
  type Operation,
  type PartIntent,
  partIntents,
  type RecordKind,
  Records,
  recordKinds,
  rootId,
  withoutComma,
} from "@lading/transform/diff";
import type { Omission } from "@lading/transform/omission";
import { count } from "../../../context.ts";
import { CliError } from "../../../exit.ts";
import { Spool } from "../../../files/spool.ts";
import type { DumpEnd } from "../../../service/dump-lines.ts";
import { acceptedOperation, NotOfDump, publishedName } from "./accept.ts";
import { SkuReading } from "./skus.ts";

type Shapes = Map<string, number>;

/** Limits of a dump that is compared, which may come from any service. */
export const comparisonLimits = {
  /** Operations of a dump: the positions and keys of its entities are held in memory. */
  operations: 10_000_000,
  /** Bytes of the settings, shapes, pieces and restrictions of flows, which are held in memory. */
  heldBytes: 64 * 1024 * 1024,
} as const;

const head = '{"version":"1.0.0","operations":[';
const end = "]}";

/** A dump in a temporary file. */
export interface SpooledDump extends IndexedDump {
  readonly spool: Spool;
}

/**
 * Reads a dump into a temporary file, and indexes it. `shapes` is shared by the dumps that are compared; `end` has what
 * the dump reports when `text` has ended.
 *
 * @throws CliError when it has anything that no dump has
 */
export async function readDump(
  text: AsyncIterable<string>,
  shapes: Shapes,
  end: DumpEnd = { operations: 0, omissions: [] },
): Promise<SpooledDump> {
  const dump: SpooledDump = {
    spool: Spool.open(),
    settings: [],
    lifted: new Set(),
    contentModel: [],
    ...{ omissions: [], omittedAliases: [] },
    restrictions: new Map(),
    records: byKind(recordKinds, (kind) => new Records(nounOf(kind).keys)),
    tree: { parents: [], shapes: [], children: new Map(), skus: new KeyTable(), publishedSkus: [] },
    ...{ deferred: new Map(), parts: new Map() },
  };
  const reading = new Reading(dump, shapes);
  try {
    for await (const lines of text) {
      let offset = dump.spool.size;
      dump.spool.append(lines);
      for (const line of lines.split("\n")) {
        const length = Buffer.byteLength(line) + 1;
        reading.add(line, offset, length);
        offset += length;
      }
    }
    reading.end();
    return { ...dump, omissions: end.omissions, omittedAliases: aliasesIn(end.omissions) };
  } catch (error) {
    dump.spool.close();
    throw error;
  }
}

/** The operations of the aliases that a report lists, which are checked like those of a dump. */
function aliasesIn(omissions: readonly Omission[]): Operation[] {
  const aliases = omissions.flatMap(({ aliases }) => (Array.isArray(aliases) ? aliases : []));
  return aliases.map((alias: unknown) => {
    const { itemId, language, path } = isObject(alias) ? alias : {};
    const write = { intent: "item/paths/addAliases", itemId, language, paths: [path] };
    try {
      return acceptedOperation(JSON.stringify(write));
    } catch (error) {
      if (!(error instanceof NotOfDump)) throw error;
      throw new CliError(
        `its report ${error.message}, which no dump of this version has; nothing was written`,
      );
    }
  });
}

class Reading {
  readonly #dump: IndexedDump;
  readonly #shapes: Shapes;
  /** The index of each setting in the list of them, by what identifies it. */
  readonly #settings = new Map<string, number>();
  readonly #skus: SkuReading;
  /** The last operation that wrote an item. */
  #written: Operation | undefined;
  /** True behind an item, or a rule of a stock location that is lifted for items. */
  #isBehindItem = false;
  #lines = 0;
  #held = 0;

  constructor(dump: IndexedDump, shapes: Shapes) {
    this.#dump = dump;
    this.#shapes = shapes;
    this.#skus = new SkuReading(dump);
  }

  add(line: string, offset: number, length: number): void {
    if (line === "") return;
    this.#lines++;
    if (line === end || (line === head && this.#lines === 1)) return;
    if (this.#lines > comparisonLimits.operations)
      throw new CliError(`it has more than ${count(comparisonLimits.operations)} operations, the limit`);
    try {
      const operation = this.#withItem(acceptedOperation(withoutComma(line)));
      const kind = entityKindOf(operation.intent);
      this.#index(operation, kind, offset, length);
      this.#isBehindItem = kind === "item" || operation.intent === "stockLocation/upsert";
    } catch (error) {
      if (!(error instanceof NotOfDump)) throw error;
      throw new CliError(
        `line ${this.#lines} ${error.message}, which no dump of this version has; nothing was written`,
      );
    }
  }

  end(): void {
    this.#skus.end();
  }

  /** A publication with the id of the item that the operation before it has written. */
  #withItem(operation: Operation): Operation {
    if (operation.intent !== "item/publish") {
      if (entityKindOf(operation.intent) === "item") this.#written = operation;
      return operation;
    }
    const name = publishedName(operation);
    if (name === undefined) return operation;
    if (name !== this.#written?._ref)
      throw new NotOfDump(`publishes "${shortened(name)}", which is not right before it`);
    return { ...operation, itemId: this.#written.itemId };
  }

  #index(operation: Operation, kind: EntityKind | undefined, offset: number, length: number): void {
    const { intent } = operation;
    const part = partIntents.find((each) => each === intent);
    const recorded = recordKinds.find((each) => each === kind);
    if (part !== undefined) this.#extendPart(part, offset, length);
    else if (recorded === undefined || intent === "flow/update") this.#hold(operation, kind, length);
    else {
      if (kind === "item" && intent.endsWith("/upsert")) this.#charge(bytesOfDeferred * this.#skus.note());
      if (kind === "item" && this.#defer(operation, offset, length)) return;
      this.#record(recorded, operation, offset, length);
      if (kind === "item") this.#skus.add(operation);
    }
  }

  #extendPart(intent: PartIntent, offset: number, length: number): void {
    const { parts } = this.#dump;
    const part = parts.get(intent);
    if (part === undefined) parts.set(intent, { start: offset, end: offset + length });
    else if (part.end !== offset) throw new NotOfDump(`has ${intent} apart from the others`);
    else part.end = offset + length;
  }

  /** Notes an operation of an item that comes after other items; returns false for any other. */
  #defer(operation: Operation, offset: number, length: number): boolean {
    const { intent } = operation;
    const { records, deferred } = this.#dump;
    const id = entityIdOf(intent, operation);
    const isNext = id === records.item.ids.at(-1) && offset === records.item.end;
    if (id === undefined || isNext || intent.endsWith("/upsert")) return false;
    const number = records.item.withId(id);
    if (number === undefined) return false;
    if (!this.#isBehindItem) throw new NotOfDump(`has ${intent} apart from the others of its item`);
    this.#charge(bytesOfDeferred);
    deferred.set(number, [...(deferred.get(number) ?? []), { offset, length }]);
    return true;
  }

  #record(kind: RecordKind, operation: Operation, offset: number, length: number): void {
    const { intent } = operation;
    const records = this.#dump.records[kind];
    const id = entityIdOf(intent, operation);
    // The further operations of an item or topic follow its first one.
    const isFurther = id !== undefined && id === records.ids.at(-1);
    if (isFurther && (kind === "topic" || !intent.endsWith("/upsert"))) {
      if (records.end !== offset) throw new NotOfDump(`has ${intent} apart from the others of its ${kind}`);
      records.extend(length);
      return;
    }
    const keys = naturalKeysOf(intent, operation).filter(
      ({ by, value }) => by !== "sku" || !isTemporary(value),
    );
    refuseSecond(kind, intent, records, id, keys[0]?.value);
    const number = records.add(offset, length, id, keys);
    if (kind === "item") this.#addToTree(operation, number);
  }

  #addToTree(operation: Operation, number: number): void {
    const { tree, records } = this.#dump;
    const parentId = pathLocationOf(operation.intent, operation)?.parentId ?? "";
    const parent = parentId === rootId ? -1 : records.item.withId(parentId);
    if (parent === undefined || parent === number) throw new NotOfDump("has an item before its folder");
    const shape = `${operation.intent} ${String(operation.shapeIdentifier)}`;
    if (!this.#shapes.has(shape)) this.#shapes.set(shape, this.#shapes.size);
    tree.parents.push(parent);
    tree.shapes.push(this.#shapes.get(shape)!);
    const children = tree.children.get(parent);
    if (children === undefined) tree.children.set(parent, { first: number, end: number + 1 });
    else if (children.end !== number) throw new NotOfDump("has an item apart from the others of its folder");
    else children.end = number + 1;
  }

  #hold(operation: Operation, kind: EntityKind | undefined, length: number): void {
    this.#charge(length);
    const { restrictions, contentModel } = this.#dump;
    if (operation.intent === "flow/update") restrictions.set(String(operation.identifier), operation);
    else if (kind === "piece" || kind === "shape") contentModel.push(operation);
    else this.#addSetting(operation);
  }

  #charge(bytes: number): void {
    this.#held += bytes;
    if (this.#held > comparisonLimits.heldBytes)
      throw new CliError(
        `its settings, shapes and pieces are larger than ${comparisonLimits.heldBytes / 1024 ** 2} MiB, the limit`,
      );
  }

  /** Adds a setting, or what a later operation changes of it: rules for stock are lifted while items are written. */
  #addSetting(operation: Operation): void {
    const { intent } = operation;
    const { settings } = this.#dump;
    const name = naturalKeysOf(intent, operation)[0]?.value;
    const key = JSON.stringify([intent, entityIdOf(intent, operation), name]);
    const at = this.#settings.get(key);
    if (at === undefined) this.#settings.set(key, settings.push(operation) - 1);
    else {
      settings[at] = { ...settings[at], ...operation };
      if (intent === "stockLocation/upsert") this.#dump.lifted.add(String(operation.identifier));
    }
  }
}

/** The memory that the position of a deferred operation takes. */
const bytesOfDeferred = 128;

/** Refuses what is in a dump twice: it was in two pages, because it was changed meanwhile; deletions would take one. */
function refuseSecond(
  kind: RecordKind,
  intent: string,
  records: Records,
  id: string | undefined,
  name: string | undefined,
): void {
  const isNamed = nounOf(kind).keys[0] === "identifier";
  const key = isNamed ? name : id;
  if (key === undefined || !intent.endsWith("/upsert"))
    throw new NotOfDump(`has ${intent} without what it is of`);
  if (isNamed ? records.hasKey("identifier", keyOf(key)) : records.withId(key) !== undefined)
    throw new CliError(
      `it has ${shortened(key)} twice (${intent}): the tenant was changed while it was dumped. Run the command again`,
    );
}
