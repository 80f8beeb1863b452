import {
  type ComponentContent,
  type ComponentDefinition,
  definitionsInside,
  keyOf,
  withoutKeys,
} from "@lading/schema/internal";
import { type ComponentList, prefetchShape, readableContent } from "../../domain/content/compiled-content.ts";
import { shownContent } from "../../domain/content-rules/orphans.ts";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { pieces } from "../../storage/collections/pieces.ts";
import {
  type ProductVariantRow,
  productVariants,
  type VariantContent,
} from "../../storage/collections/product-variants.ts";
import type { VariantCopy } from "../../storage/collections/published-variants.ts";
import { type ShapeRow, shapes } from "../../storage/collections/shapes.ts";
import type { Queries } from "../../storage/database.ts";
import { listPieces, listShapes } from "../../storage/queries/content-model.ts";
import type { LogKey } from "../../storage/task-details/operation-logs.ts";
import { type ReadingRoom, readImagesOf } from "../../storage/task-details/read-images.ts";
import { listStoredLogs } from "../../storage/task-details/read-logs.ts";
import type { BeforeImage } from "../../storage/unit-of-work/before-images.ts";
import type { Collection } from "../../storage/unit-of-work/collection.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { logPageBytes } from "../logs.ts";
import type { ShownImage } from "./changes.ts";
import type { Renamed } from "./json-diff.ts";

type Values = object | null | undefined;

/**
 * Shows content in rows by the ids that its components have now, or at the end of the plan that wrote the rows, and
 * definitions of components as payloads have them. Orphaned content is shown as it is stored.
 */
export class ContentNames {
  readonly #queries: Queries;
  readonly #key: LogKey;
  readonly #isPlan: boolean;
  readonly #room: ReadingRoom;
  #unit: UnitOfWork | undefined;
  #idsByKey: Map<string, string | undefined> | undefined;

  constructor(queries: Queries, key: LogKey, { isPlan, room }: { isPlan: boolean; room: ReadingRoom }) {
    this.#queries = queries;
    this.#key = key;
    this.#isPlan = isPlan;
    this.#room = room;
  }

  /** Reads what the names in images depend on. Call it before the images are shown, for as many as possible. */
  async load(images: readonly BeforeImage[]): Promise<void> {
    if (!images.some(({ table }) => table === itemContents.table || table === productVariants.table)) return;
    this.#unit ??= await this.#open();
    const unit = this.#unit;
    for (const { table, before, after } of images)
      if (this.#isPlan && table === items.table && before === null && after)
        unit.insert(items, after as ItemRow);
    const followItem = ({ shapeIdentifier }: ItemRow, prefetch: Prefetch) => {
      if (shapeIdentifier !== null) prefetchShape(shapeIdentifier, prefetch);
    };
    const followVariant = ({ productId }: ProductVariantRow, prefetch: Prefetch) =>
      prefetch(items, "key", [productId], followItem);
    await unit.prefetch((prefetch) => {
      for (const { table, key } of images)
        if (table === itemContents.table) prefetch(items, "key", [key[0] ?? ""], followItem);
        else if (table === productVariants.table)
          prefetch(productVariants, "key", [key[0] ?? ""], followVariant);
    });
  }

  shown(images: readonly BeforeImage[]): Promise<ShownImage[]> {
    return inOrder(images, async (image) => {
      const before = (await this.#shownValues(image, image.before)) ?? null;
      if (!("after" in image)) return { ...image, before };
      const after = await this.#shownValues(image, image.after);
      return { ...image, before, after, ...(isDefinition(image) && { renamed: renamedIn(image) }) };
    });
  }

  /** A row that an operation of a run created, as it is stored. */
  async shownRow(image: BeforeImage, row: object): Promise<object> {
    return (await this.#shownValues({ ...image, after: row }, row)) ?? row;
  }

  /** A unit of work that has the content model: of the tenant, with a plan's changes. */
  async #open(): Promise<UnitOfWork> {
    const { tenantId, taskId } = this.#key;
    const unit = new UnitOfWork(this.#queries, tenantId, "none");
    if (!this.#isPlan) return unit;
    const indexes: number[] = [];
    for (const operationTypeStartsWith of ["shape/", "piece/"]) {
      const filter = { operationId: taskId, operationTypeStartsWith, status: "success" as const };
      const page = { first: mostDefinitions, after: null };
      const { nodes } = await listStoredLogs(this.#queries, tenantId, filter, page, { bytes: logPageBytes });
      indexes.push(...nodes.map(({ index }) => index));
    }
    if (indexes.length === 0) return unit;
    for await (const { images } of readImagesOf(this.#queries, this.#key, indexes, this.#room))
      for (const image of images) {
        if (image.table === shapes.table) await apply(unit, shapes, image);
        else if (image.table === pieces.table) await apply(unit, pieces, image);
      }
    return unit;
  }

  async #shownValues({ table, key, before, after }: BeforeImage, values: Values): Promise<Values> {
    if (!values) return values;
    if (isDefinition({ table })) return withLists(values, async (list) => withoutKeys(list));
    const [id = ""] = key;
    if (table === itemContents.table) {
      const shown = await withLists<ComponentContent>(values, this.#converter(String(id), "components"));
      const { variants } = shown as { variants?: VariantCopy[] | null };
      if (!variants) return shown;
      const convert = this.#converter(String(id), "variantComponents");
      return { ...shown, variants: await inOrder(variants, (copy) => withContents(copy, convert)) };
    }
    if (table !== productVariants.table) return values;
    const variant = await this.#unit?.get(productVariants, id);
    const { productId } = { ...variant, ...before, ...after } as {
      productId?: string;
    };
    return withContents(values, this.#converter(productId ?? "", "variantComponents"));
  }

  #converter(itemId: string, list: ComponentList) {
    return async (contents: readonly ComponentContent[]): Promise<readonly ComponentContent[]> => {
      const unit = this.#unit;
      if (unit === undefined) return contents;
      const item = await unit.get(items, itemId);
      const shape = item?.shapeIdentifier && (await unit.get(shapes, item.shapeIdentifier));
      if (shape) return readableContent(unit, shape, list, contents, shownContent);
      if (item) return contents;
      this.#idsByKey ??= await this.#readIds(unit);
      const ids = this.#idsByKey;
      const withId = (name: string, value: unknown) =>
        (name === "componentId" && ids.get(String(value))) || value;
      return JSON.parse(JSON.stringify(contents), withId);
    };
  }

  /**
   * The ids of all components by keys that only one of them has: for items that another operation of the plan creates,
   * whose shape is unknown.
   */
  async #readIds(unit: UnitOfWork): Promise<Map<string, string | undefined>> {
    const ids = new Map<string, string | undefined>();
    const note = (definition: ComponentDefinition): void => {
      const key = keyOf(definition);
      ids.set(key, ids.has(key) && ids.get(key) !== definition.id ? undefined : definition.id);
      definitionsInside(definition)?.forEach(note);
    };
    const page = { first: mostDefinitions, after: null };
    const stored = [
      ...(await listShapes(this.#queries, this.#key.tenantId, page)).nodes,
      ...(await listPieces(this.#queries, this.#key.tenantId, page)).nodes,
    ];
    for (const row of stored) {
      const isShape = "variantComponents" in row;
      const planned = isShape
        ? await unit.get(shapes, row.identifier)
        : await unit.get(pieces, row.identifier);
      const { components, variantComponents = [] }: Partial<ShapeRow> = planned ?? {};
      [...(components ?? []), ...variantComponents].forEach(note);
    }
    return ids;
  }
}

/** Maximum number of shapes, of pieces, and of a plan's operations on them, that are read. */
const mostDefinitions = 1_000;

async function apply<Row extends object>(
  unit: UnitOfWork,
  collection: Collection<Row>,
  { key, after }: BeforeImage,
) {
  const row = await unit.get(collection, ...key);
  const next = { ...row, ...after } as Row;
  if (row === undefined && after) unit.insert(collection, next);
  else if (row !== undefined && after) unit.update(collection, next);
}

const isDefinition = ({ table }: Pick<BeforeImage, "table">) =>
  table === shapes.table || table === pieces.table;

type Lists = Partial<Record<ComponentList, readonly ComponentDefinition[] | null>>;

function renamedIn({ before, after }: BeforeImage): Renamed {
  const [former, next] = [before, after] as (Lists | null | undefined)[];
  const renamed = new Map<string, string>();
  for (const list of ["components", "variantComponents"] as const)
    noteRenamed(former?.[list], next?.[list], `/${list}`, renamed);
  return renamed;
}

/** Notes the components that are others by their ids, but the same ones by their keys. */
function noteRenamed(
  before: Lists[ComponentList],
  after: Lists[ComponentList],
  pointer: string,
  renamed: Map<string, string>,
): void {
  for (const [index, definition] of (after ?? []).entries()) {
    const at = `${pointer}/${index}`;
    const former = before?.find((each) => keyOf(each) === keyOf(definition));
    if (former === undefined) continue;
    if (former.id !== definition.id) renamed.set(at, former.id);
    const list = definition.type === "contentChunk" ? "components" : "choices";
    const inside = `${at}/config/${definition.type}/${list}`;
    noteRenamed(definitionsInside(former), definitionsInside(definition), inside, renamed);
  }
}

type Convert<Member> = (list: readonly Member[]) => Promise<readonly Member[]>;

/** Converts the lists of components in a row's values. */
async function withLists<Member = ComponentDefinition>(
  values: object,
  convert: Convert<Member>,
): Promise<object> {
  const { components, variantComponents } = values as Partial<Record<ComponentList, Member[] | null>>;
  return {
    ...values,
    ...(components && { components: await convert(components) }),
    ...(variantComponents && { variantComponents: await convert(variantComponents) }),
  };
}

/** Converts a variant's contents in all languages. */
async function withContents(values: object, convert: Convert<ComponentContent>): Promise<object> {
  const { contents } = values as { contents?: Record<string, VariantContent> | null };
  if (!contents) return values;
  const converted = await inOrder(
    Object.entries(contents),
    async ([language, content]) => [language, await withLists(content, convert)] as const,
  );
  return { ...values, contents: Object.fromEntries(converted) };
}

async function inOrder<From, To>(list: readonly From[], convert: (each: From) => Promise<To>): Promise<To[]> {
  const converted: To[] = [];
  for (const each of list) converted.push(await convert(each));
  return converted;
}
