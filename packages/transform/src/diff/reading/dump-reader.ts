import {
  byKey,
  type EntityKind,
  entityIdOf,
  entityKindOf,
  isObject,
  naturalKeysOf,
  nounOf,
  pathLocationOf,
  shortened,
} from "@lading/schema/internal";
import {
  bytesIn,
  type IndexedDump,
  isTemporary,
  linesAt,
  type Operation,
  type PartIntent,
  partIntents,
  type RecordKind,
  Records,
  recordKinds,
  rootId,
  type TextRange,
  type TextStore,
  withoutComma,
} from "../indexed-dump.ts";
import { KeyTable, keyOf } from "../key-table.ts";
import type { Omission } from "../omission.ts";
import { PartUses } from "../part-uses.ts";
import { acceptedOperation, NotOfDump, publishedName } from "./accept.ts";
import { SkuReading } from "./skus.ts";

/** Limits of a dump that is compared, which may come from any service. */
export const comparisonLimits = {
  /** Operations of a dump: the positions and keys of its entities are held in memory. */
  operations: 10_000_000,
  /** Bytes of the settings, shapes, pieces and restrictions of flows, which are held in memory. */
  heldBytes: 64 * 1024 * 1024,
} as const;

const head = '{"version":"1.0.0","operations":[';
const end = "]}";

/** Thrown for a dump that has what no dump has, or too much, or that was changed while it was made. */
export class InvalidDump extends Error {
  override readonly name = "InvalidDump";
}

/** Indexes a dump while it is read. */
export class DumpReader {
  readonly #dump: IndexedDump;
  /** The index of each setting in the list of them, by what identifies it. */
  readonly #settings = new Map<string, number>();
  /** The types and shapes of items, each the one text that all items of it share. */
  readonly #shapes = new Map<string, string>();
  readonly #skus: SkuReading;
  /** The last operation that wrote an item. */
  #written: Operation | undefined;
  /** True behind an item, or a rule of a stock location that is lifted for items. */
  #isBehindItem = false;
  #bytes = 0;
  #lines = 0;
  #held = 0;

  /** @param spool where the text that is added can be read again */
  constructor(spool: TextStore) {
    this.#dump = {
      ...{ spool, settings: [], lifted: new Set(), partUses: new PartUses(), contentModel: [] },
      ...{ omissions: [], omittedAliases: [], restrictions: new Map() },
      records: byKey(recordKinds, (kind) => new Records(nounOf(kind).keys)),
      tree: { parents: [], shapes: [], children: new Map(), skus: new KeyTable(), publishedSkus: [] },
      ...{ deferred: new Map(), parts: new Map() },
    };
    this.#skus = new SkuReading(this.#dump);
  }

  /** Adds whole lines, the next of the dump. @throws InvalidDump */
  add(text: string): void {
    for (const [line, range] of linesAt(this.#bytes, text)) if (line !== "") this.#add(line, range);
    this.#bytes += bytesIn(text);
  }

  /** Ends the dump with what its report says. @throws InvalidDump */
  end(omissions: readonly Omission[]): IndexedDump {
    this.#skus.end();
    return { ...this.#dump, omissions, omittedAliases: aliasesIn(omissions) };
  }

  #add(line: string, range: TextRange): void {
    this.#lines++;
    if (line === end || (line === head && this.#lines === 1)) return;
    const { operations } = comparisonLimits;
    if (this.#lines > operations)
      throw new InvalidDump(`it has more than ${operations.toLocaleString("en")} operations, the limit`);
    checkedAt(`line ${this.#lines}`, () => {
      const operation = this.#withItem(acceptedOperation(withoutComma(line)));
      const kind = entityKindOf(operation.intent);
      this.#index(operation, kind, range);
      this.#isBehindItem = kind === "item" || operation.intent === "stockLocation/upsert";
    });
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

  #index(operation: Operation, kind: EntityKind | undefined, range: TextRange): void {
    const { intent } = operation;
    const part = partIntents.find((each) => each === intent);
    const recorded = recordKinds.find((each) => each === kind);
    if (part !== undefined) this.#extendPart(part, range);
    else if (recorded === undefined || intent === "flow/update") this.#hold(operation, kind, range.length);
    else {
      this.#charge(bytesOfUse * this.#dump.partUses.add(operation));
      if (kind === "item" && intent.endsWith("/upsert")) this.#charge(bytesOfDeferred * this.#skus.note());
      if (kind === "item" && this.#defer(operation, range)) return;
      this.#record(recorded, operation, range);
      if (kind === "item") this.#skus.add(operation);
    }
  }

  #extendPart(intent: PartIntent, { offset, length }: TextRange): void {
    const { parts } = this.#dump;
    const part = parts.get(intent);
    if (part === undefined) parts.set(intent, { start: offset, end: offset + length });
    else if (part.end !== offset) throw new NotOfDump(`has ${intent} apart from the others`);
    else part.end = offset + length;
  }

  /** Notes an operation of an item that comes after other items; returns false for any other. */
  #defer(operation: Operation, range: TextRange): boolean {
    const { intent } = operation;
    const { records, deferred } = this.#dump;
    const id = entityIdOf(intent, operation);
    const isNext = id === records.item.ids.at(-1) && range.offset === records.item.end;
    if (id === undefined || isNext || intent.endsWith("/upsert")) return false;
    const number = records.item.withId(id);
    if (number === undefined) return false;
    if (!this.#isBehindItem) throw new NotOfDump(`has ${intent} apart from the others of its item`);
    this.#charge(bytesOfDeferred);
    deferred.set(number, [...(deferred.get(number) ?? []), range]);
    return true;
  }

  #record(kind: RecordKind, operation: Operation, { offset, length }: TextRange): void {
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
    if (!this.#shapes.has(shape)) this.#shapes.set(shape, shape);
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
      throw new InvalidDump(
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

/** The memory that a use of a plan's part takes. */
const bytesOfUse = 40;

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
    throw new InvalidDump(
      `it has ${shortened(key)} twice (${intent}): the tenant was changed while it was dumped. Run the command again`,
    );
}

/** The operations of the aliases that a report lists, which are checked like those of a dump. */
function aliasesIn(omissions: readonly Omission[]): Operation[] {
  const aliases = omissions.flatMap(({ aliases }) => (Array.isArray(aliases) ? aliases : []));
  return aliases.map((alias: unknown) => {
    const { itemId, language, path } = isObject(alias) ? alias : {};
    const write = { intent: "item/paths/addAliases", itemId, language, paths: [path] };
    return checkedAt("its report", () => acceptedOperation(JSON.stringify(write)));
  });
}

/** Says in an error of what is read where that is. */
function checkedAt<Read>(place: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotOfDump)) throw error;
    throw new InvalidDump(
      `${place} ${error.message}, which no dump of this version has; nothing was written`,
    );
  }
}
