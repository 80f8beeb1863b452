import { text } from "node:stream/consumers";
import { type ExportKind, exportKinds } from "@lading/schema/internal";
import fc from "fast-check";
import {
  beginExport,
  type ExportRequest,
  exportColumns,
  exportMap,
} from "../../packages/service/src/domain/export/export.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { convert } from "../../packages/transform/test/converting.ts";
import { dumpOf, logOf, newTenant, run, sourceFile, wholeDumpOf } from "../dump/bench-tenants.ts";
import { changes } from "../dump/generated-tenants.ts";
import type { UndoBench } from "../support/parity/undos.ts";
import type { Finding } from "./fuzz.ts";

/** Groups of operations that make each tenant what it is. */
const changesEach = 60;

interface Rounds {
  readonly seed: number;
  /** Tenants that are made at random. */
  readonly rounds: number;
  onProgress?(text: string): void;
}

/** Exports random tenants; returns what a sheet that came back changed although nobody had edited it, and the like. */
export async function sheetRoundsOn(
  bench: UndoBench,
  { seed, rounds, onProgress }: Rounds,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let i = 0; i < rounds; i++) {
    for (const what of await sheetRound(bench, seed + i))
      findings.push({ what, input: `a tenant of seed ${seed + i}, on ${bench.database.engine}` });
    if (i % 10 === 9) onProgress?.(`${i + 1} tenants exported, ${findings.length} findings`);
  }
  return findings;
}

async function sheetRound(bench: UndoBench, seed: number): Promise<string[]> {
  const [operations = []] = fc.sample(changes(changesEach), { seed, numRuns: 1 });
  const tenant = await newTenant(bench);
  await run(bench, tenant, sourceFile(tenant, operations));
  const sheets = await sheetsOf(bench, tenant, seed);
  return [
    ...sheets.flatMap(({ untouched }) => untouched),
    ...(await plannedWhole(bench, tenant, sheets)),
    ...(await editedRound(bench, tenant, sheets, seed)),
  ];
}

interface ExportedSheet {
  readonly request: ExportRequest;
  readonly text: string;
  readonly map: object;
  /** Findings of a conversion without edits. */
  readonly untouched: readonly string[];
  /** The operations of all cells. */
  readonly all: readonly Record<string, unknown>[];
}

/** Stock that an update of a product may store, but no change of stock can write. */
const unwritable = /\/quantity: expected (?:whole number|.*at least 0|.*0 or more)/;

const plain = { where: "", language: undefined, publish: false, bom: false } as const;

/** The sheets of all kinds, with all columns, in forms that the seed chooses. */
async function sheetsOf(bench: UndoBench, tenant: Tenant, seed: number): Promise<ExportedSheet[]> {
  const shapes = await bench.database.query<{ identifier: string; type: string }>(
    "SELECT identifier, type FROM shapes WHERE tenant_id = $1 ORDER BY identifier",
    [tenant.id],
  );
  const chosen: { kind: ExportKind; shape: string | undefined }[] = exportKinds
    .filter((kind) => kind !== "content")
    .map((kind) => ({ kind, shape: undefined }));
  for (const { identifier, type } of shapes) {
    chosen.push({ kind: "content", shape: identifier });
    if (type === "product") chosen.push({ kind: "variants", shape: identifier });
  }
  const sheets: ExportedSheet[] = [];
  for (const [i, choice] of chosen.entries()) {
    const even = (seed + i) % 2 === 0;
    const form = { format: even ? "csv" : "ndjson", decimal: (seed + i) % 4 === 0 ? "," : "." } as const;
    sheets.push(await sheetOf(bench, tenant, { ...plain, ...choice, ...form, columns: undefined }));
  }
  return sheets;
}

async function sheetOf(bench: UndoBench, tenant: Tenant, request: ExportRequest): Promise<ExportedSheet> {
  const columns = await exportColumns(bench.database, tenant.id, request);
  const whole = { ...request, columns: columns.map(({ name }) => name) };
  const table = await textOf(bench, tenant, whole);
  if (request.kind === "orders" || table === "")
    return { request: whole, text: table, map: {}, untouched: [], all: [] };
  const map = await exportMap(bench.database, tenant.id, whole);
  const as = await convert(table, map, { format: request.format });
  const all = await convert(table, map, { format: request.format, allCells: true });
  const name = `${request.kind} ${request.shape ?? ""} as ${request.format}`;
  const untouched = [
    ...[...as.messages, ...all.messages]
      .filter((message) => !unwritable.test(message))
      .map((message) => `${name}: ${message}`),
    ...as.operations.map((operation) => `${name}, not edited: ${JSON.stringify(operation)}`),
  ];
  return { request: whole, text: table, map, untouched, all: all.operations };
}

async function textOf({ database }: UndoBench, tenant: Tenant, request: ExportRequest): Promise<string> {
  const begun = await beginExport(database, tenant.id, request);
  if (typeof begun === "string") throw new Error(begun);
  return text(begun);
}

/** Plans the operations of all cells: none changes anything. */
async function plannedWhole(
  bench: UndoBench,
  tenant: Tenant,
  sheets: readonly ExportedSheet[],
): Promise<string[]> {
  const found: string[] = [];
  const operations = sheets.flatMap(({ all }) => all);
  const others = await publishedOtherwise(bench, tenant);
  // Every write of content removes what is orphaned, and a dump does not look for it in languages that it leaves out.
  const hasOrphans = /"what":"(?:orphaned content|content of a variant in a language)/.test(
    await wholeDumpOf(bench, tenant),
  );
  for (let start = 0; start < operations.length; start += 1_000) {
    const log = await logOf(bench, tenant, operations.slice(start, start + 1_000), "plan");
    for (const { intent, action, message, input } of log)
      if (action === "updated" && hasOrphans && intent?.startsWith("item/updateComponent")) continue;
      else if (action !== "unchanged" && !others.has(`${intent} ${Reflect.get(input as object, "sku")}`))
        found.push(`all cells: ${intent}: ${action ?? message} ${JSON.stringify(input)}`);
  }
  return found;
}

/** Changes of prices and stock that also change what is published, which is not that of the draft. */
async function publishedOtherwise({ database }: UndoBench, { id }: Tenant): Promise<ReadonlySet<string>> {
  const of = (list: string, intent: string) =>
    database.query<{ name: string }>(
      `SELECT '${intent} ' || v.sku AS name FROM product_variants v JOIN published_variants p
         ON p.tenant_id = v.tenant_id AND p.variant_id = v.id
       WHERE v.tenant_id = $1 AND p.${list}::text <> v.${list}::text`,
      [id],
    );
  const prices = await of("price_variants", "product/variant/price/modify");
  const stock = await of("stock_locations", "product/variant/stock/modify");
  return new Set([...prices, ...stock].map(({ name }) => name));
}

/** Cells that may be edited to any value of their type. */
const editable: Readonly<Record<string, readonly string[]>> = {
  products: ["name", "externalReference"],
  variants: ["name", "externalReference", "price.default", "stock.default"],
  prices: ["price"],
  stock: ["stock"],
  content: ["name", "externalReference"],
  customers: ["firstName", "taxNumber", "phone"],
  topics: ["name"],
  "price-lists": ["name"],
  images: ["resourceIdentifier"],
};

/** Columns that change with another one. */
const derived = ["path", "published", "_updatedAt", "_exported"];

/** Edits one cell, which is the only change; undoes it. */
async function editedRound(
  bench: UndoBench,
  tenant: Tenant,
  sheets: readonly ExportedSheet[],
  seed: number,
): Promise<string[]> {
  const candidates = sheets.filter((sheet) => sheet.request.kind in editable && rowsOf(sheet).length > 0);
  const { request } = candidates[seed % candidates.length]!;
  const lines = { ...request, format: "ndjson" } as const;
  const before = rowsOf({ request: lines, text: await textOf(bench, tenant, lines) });
  const dump = await dumpOf(bench, tenant);
  const at = seed % before.length;
  // The identifier of an image is never changed.
  if (before[at]!.resourceIdentifier && request.kind === "images") return [];
  const names = editable[request.kind]!.filter((name) => name in before[at]!);
  const name = names[seed % names.length]!;
  const value = /^(?:price|stock)/.test(name) ? 7_654_321 : `edited ${seed}`;
  const edited = before.map((row, i) => (i === at ? { ...row, [name]: value } : row));
  const map = await exportMap(bench.database, tenant.id, lines);
  const table = edited.map((row) => JSON.stringify(row)).join("\n");
  const { operations, messages } = await convert(table, map, { format: "ndjson" });
  const what = `${request.kind} ${request.shape ?? ""}, ${name} of ${JSON.stringify(before[at])}`;
  if (operations.length !== 1) return [`${what}: ${JSON.stringify(operations)} ${messages.join()}`];
  const task = await bench.run(tenant, operations);
  const [entry] = await bench.log(task.id, tenant);
  if (entry?.action !== "updated") return [`${what}: ${entry?.action ?? entry?.message}`];
  const after = rowsOf({ request: lines, text: await textOf(bench, tenant, lines) });
  const found = differencesOf(edited, after).map((difference) => `${what}: ${difference}`);
  await bench.undo(tenant, task.id);
  const restored = await dumpOf(bench, tenant);
  return restored === dump ? found : [...found, `${what}: not undone`];
}

type Row = Readonly<Record<string, unknown>>;

const rowsOf = ({ request, text }: Pick<ExportedSheet, "request" | "text">): Row[] =>
  request.format === "csv"
    ? (text.trimEnd().split("\r\n").slice(1) as unknown as Row[])
    : text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

/** The cells of the same row that differ, but for those that change with others. */
const differencesOf = (expected: readonly Row[], found: readonly Row[]): string[] =>
  expected.length !== found.length
    ? [`${expected.length} rows became ${found.length}`]
    : expected.flatMap((row, i) =>
        Object.keys(row)
          .filter((key) => !derived.includes(key))
          .filter((key) => JSON.stringify(row[key]) !== JSON.stringify(found[i]?.[key]))
          .map((key) => `${key} is ${JSON.stringify(found[i]?.[key])}, not ${JSON.stringify(row[key])}`),
      );
