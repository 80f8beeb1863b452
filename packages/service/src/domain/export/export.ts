import { didYouMean, type ExportColumn, type ExportKind, oneOf, quoted } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type ShapeRow, shapes } from "../../storage/collections/shapes.ts";
import type { Database } from "../../storage/database.ts";
import { itemAtPath } from "../../storage/pages/exported.ts";
import { type Snapshot, type SnapshotRefusal, takeSnapshot } from "../../storage/pages/snapshot.ts";
import { findItems } from "../../storage/queries/items.ts";
import { rowsByKey } from "../../storage/queries/rows.ts";
import { findTopicView } from "../../storage/queries/topics.ts";
import { tenantById } from "../../storage/tenants/find.ts";

import { nextTurn } from "../../system/turns.ts";
import { readAhead } from "../dump/ahead.ts";
import { started } from "../dump/dump.ts";
import { requireLanguage } from "../settings/require.ts";
import { itemSheet } from "./items.ts";
import { mapOf } from "./map.ts";
import { customerSheet, imageSheet, orderSheet, priceListSheet, topicSheet } from "./others.ts";
import type { Column, ExportScope, Reading, Sheet, Source } from "./sheet.ts";
import { type TextForm, tableText, updatedColumn, type WrittenColumn } from "./text.ts";
import { priceSheet, stockSheet, variantSheet } from "./variants.ts";
import { type Condition, parseWhere, refuse, testOf } from "./where.ts";

/** A choice of rows and columns, and the form of the table. */
export interface ExportRequest extends TextForm {
  readonly kind: ExportKind;
  /** Names of columns; by default those that the kind has by default. */
  readonly columns: readonly string[] | undefined;
  readonly where: string;
  /** Identifier of the shape whose components are columns. */
  readonly shape: string | undefined;
  readonly language: string | undefined;
  /** True if the map also publishes what it changes. */
  readonly publish: boolean;
}

/** An export that was found to be possible. */
interface Export {
  readonly columns: readonly ExportColumn[];
  readonly map: () => object;
  /** The table, in chunks. An empty one is a page without rows. */
  readonly text: () => AsyncGenerator<string>;
}

/** Starts an export's table. The caller must read it to the end or call `return`. */
export async function beginExport(
  database: Database,
  tenantId: string,
  request: ExportRequest,
): Promise<AsyncGenerator<string> | SnapshotRefusal> {
  const snapshot = await takeSnapshot(database, tenantId, "export");
  if (typeof snapshot === "string") return snapshot;
  try {
    const { text } = await prepared(snapshot.page, tenantId, request);
    return await started(closing(text(), snapshot));
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

async function* closing(text: AsyncGenerator<string>, snapshot: Snapshot): AsyncGenerator<string> {
  try {
    yield "";
    yield* text;
  } finally {
    await snapshot.close();
  }
}

/** The columns that an export may have. */
export const exportColumns = async (database: Database, tenantId: string, request: ExportRequest) =>
  (await prepared((read) => database.snapshot(read), tenantId, request)).columns;

/** The map that makes operations of what is edited in an export. */
export const exportMap = async (database: Database, tenantId: string, request: ExportRequest) =>
  (await prepared((read) => database.snapshot(read), tenantId, request)).map();

interface Preparing {
  readonly scope: ExportScope;
  readonly request: ExportRequest;
  readonly shape: ShapeRow | undefined;
}

async function prepared(page: Snapshot["page"], tenantId: string, request: ExportRequest): Promise<Export> {
  const tenant = await page((queries) => tenantById(queries, tenantId));
  const language = request.language ?? tenant.settings.languages[0]?.code ?? "";
  requireLanguage(tenant, language);
  const scope = { tenant, page, language };
  const shape = await shapeOf(scope, request);
  return sheets[request.kind]({ scope, request, shape });
}

const sheets: Readonly<Record<ExportKind, (preparing: Preparing) => Promise<Export>>> = {
  products: (it) => exportOf(itemSheet(it.scope, { type: "product", shape: it.shape }), it),
  content: (it) => exportOf(itemSheet(it.scope, { type: it.shape?.type ?? "document", shape: it.shape }), it),
  variants: (it) => exportOf(variantSheet(it.scope, it.shape), it),
  prices: (it) => exportOf(priceSheet(), it),
  stock: (it) => exportOf(stockSheet(), it),
  customers: (it) => exportOf(customerSheet(), it),
  orders: (it) => exportOf(orderSheet(), it),
  topics: (it) => exportOf(topicSheet(it.scope), it),
  "price-lists": (it) => exportOf(priceListSheet(), it),
  images: (it) => exportOf(imageSheet(), it),
};

/** The shape of an export. Refuses one that the kind cannot have, or lacks. */
async function shapeOf(
  { tenant, page }: ExportScope,
  { kind, shape: identifier }: ExportRequest,
): Promise<ShapeRow | undefined> {
  if (identifier === undefined) {
    if (kind !== "content") return undefined;
    return reject("ValidationError", "content needs a shape, whose components are the columns: give shape");
  }
  if (kind !== "content" && kind !== "products" && kind !== "variants")
    reject("ValidationError", `shape is for content, products and variants; ${kind} have no components`);
  const found = await page((queries) => rowsByKey(queries, tenant.id, shapes, "identifier", [identifier]));
  const shape =
    found.get(identifier) ?? reject("ShapeNotFoundError", `There is no shape ${quoted(identifier)}`);
  if (kind !== "content" && shape.type !== "product")
    reject("ValidationError", `The shape ${quoted(identifier)} is of ${shape.type}s; export content instead`);
  return shape;
}

async function exportOf<Row>(sheet: Sheet<Row>, { scope, request }: Preparing): Promise<Export> {
  const columns = chosen(sheet, request.columns);
  const conditions = parseWhere(request.where);
  const test = rowTest(sheet, conditions);
  const within = await withinOf(scope, sheet, conditions);
  const named = new Set([...columns.map(({ name }) => name), ...conditions.map(({ name }) => name)]);
  const needs = new Set(
    sheet.columns.filter(({ name }) => named.has(name)).map((column) => column.needs ?? ""),
  );
  if (request.publish && sheet.publish === undefined)
    reject("ValidationError", `publish is for products and content; ${request.kind} are not published`);
  return {
    columns: sheet.columns.map(factsOf),
    map: () => mapOf(sheet, columns, request),
    text: () => textOf(sheet, scope, { columns, test, reading: { needs, within, conditions }, request }),
  };
}

const factsOf = <Row>({ name, about, isKey, isDefault, write }: Column<Row>): ExportColumn => ({
  ...{ name, about, isKey: isKey === true, isDefault: isDefault === true },
  isReadOnly: write === undefined,
});

/** The keys, then the chosen columns in the order given. */
function chosen<Row>({ columns }: Sheet<Row>, names: readonly string[] | undefined): Column<Row>[] {
  const keys = columns.filter(({ isKey }) => isKey);
  if (names === undefined) return [...keys, ...columns.filter(({ isDefault }) => isDefault)];
  const byName = new Map(columns.map((column) => [column.name, column]));
  const known = [...byName.keys()];
  const others = [...new Set(names)].map(
    (name) =>
      byName.get(name) ??
      reject(
        "ValidationError",
        `columns: ${quoted(name)} is not known; ${didYouMean(name, known) ?? `there are ${oneOf(known)}`}`,
      ),
  );
  return [...keys, ...others.filter(({ isKey }) => !isKey)];
}

/** Makes the test that rows must pass. */
function rowTest<Row>(sheet: Sheet<Row>, conditions: readonly Condition[]): (row: Row) => boolean {
  const compared = [
    ...sheet.columns,
    ...(sheet.compared ?? []),
    { name: "updatedAt", type: "time" as const, value: sheet.updatedAt },
  ];
  const tests = conditions
    .filter(({ name }) => !sheet.sources.some((source) => source === name))
    .map((condition) => testOf(condition, compared, sheet.sources));
  return (row) => tests.every((test) => test(row));
}

/** Finds the folders and topics that conditions name. */
async function withinOf<Row>(
  scope: ExportScope,
  sheet: Sheet<Row>,
  conditions: readonly Condition[],
): Promise<Reading["within"]> {
  const within: Partial<Record<Source, string>> = {};
  for (const { name, operator, value } of conditions) {
    const source = sheet.sources.find((known) => known === name);
    if (source === undefined) continue;
    if (operator !== "=") refuse(name, "it is compared with =", `cannot be compared with ${operator}`);
    if (within[source] !== undefined) refuse(name, "it can be there once", "is there twice");
    const isTopic = source === "topic" || !sheet.sources.includes("topic");
    within[source] = await (isTopic ? topicOf(scope, source, value) : folderOf(scope, source, value));
  }
  return within;
}

async function topicOf(
  { tenant, page, language }: ExportScope,
  name: string,
  value: string,
): Promise<string> {
  const identity = value.startsWith("/") ? { path: value } : { id: value };
  const topic = await page((queries) => findTopicView(queries, tenant.id, language, identity));
  return (
    topic?.id ?? refuse(name, `there is no topic ${quoted(value)}: write its id or its path in ${language}`)
  );
}

async function folderOf(
  { tenant, page, language }: ExportScope,
  name: string,
  value: string,
): Promise<string> {
  const { rootItemId } = tenant;
  const draft = { language, version: "draft" } as const;
  const id = await page(async (queries) =>
    value.startsWith("/")
      ? itemAtPath(queries, tenant.id, language, { rootItemId, path: value })
      : (await findItems(queries, tenant.id, draft, { id: value }))[0]?.id,
  );
  return id ?? refuse(name, `there is no item ${quoted(value)}: write its id or its path in ${language}`);
}

/** Cells that are written before others have a turn. */
const cellsAtOnce = 20_000;

interface Text<Row> {
  readonly columns: readonly Column<Row>[];
  readonly test: (row: Row) => boolean;
  readonly reading: Reading;
  readonly request: ExportRequest;
}

async function* textOf<Row>(
  sheet: Sheet<Row>,
  scope: ExportScope,
  { columns, test, reading, request }: Text<Row>,
): AsyncGenerator<string> {
  const written: WrittenColumn<Row>[] = columns.map(({ name, value, isKey }) => ({
    name,
    value,
    isMarked: !isKey,
  }));
  const table = tableText(
    [...written, { name: updatedColumn, value: sheet.updatedAt, isMarked: false }],
    request,
  );
  yield table.head;
  let cells = 0;
  for await (const rows of readAhead(sheet.rows(scope, reading))) {
    let text = "";
    for (const row of rows) {
      if (test(row)) text += table.line(row);
      cells += columns.length;
      if (cells >= cellsAtOnce) {
        cells = 0;
        await nextTurn();
      }
    }
    // PGlite answers without a turn of the event loop, and a page without rows waits for no client.
    await nextTurn();
    yield text;
  }
}
