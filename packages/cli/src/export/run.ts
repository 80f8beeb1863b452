import type { ExportColumn } from "@lading/schema/internal/export-kinds";
import { isObject } from "@lading/schema/internal/is-object";
import { advise, type Context, confirm, control, counted, json, note, plain, table } from "../context.ts";
import { CliError } from "../exit.ts";
import { parseJson } from "../files/json-input.ts";
import { ownerOnly, readText, refuseToReplace, writeWhole } from "../files/write-whole.ts";
import type { TokenFlags } from "../options.ts";
import { download } from "../service/graphql.ts";
import { tenantEndpoint } from "../service/tenant-endpoint.ts";
import { countedRows, rowsOfNdjson } from "./rows.ts";

export const exportFormats = ["csv", "ndjson", "xlsx"] as const;

type Format = (typeof exportFormats)[number];

export interface ExportFlags extends TokenFlags {
  columns?: string;
  where: string[];
  shape?: string;
  language?: string;
  publish?: boolean;
  decimal?: string;
  bom?: boolean;
  map?: string;
  format?: Format;
  force?: boolean;
}

interface Target {
  readonly tenant: string;
  readonly kind: string;
  /** Default: standard output. */
  readonly file: string | undefined;
}

/** Writes a table of a tenant's data, and next to it the map that converts the edited table. */
export async function exportSheet(context: Context, target: Target, flags: ExportFlags): Promise<void> {
  const { tenant, kind, file } = target;
  const format = flags.format ?? formatOf(file);
  const given = flags.map === undefined ? flags.columns : await columnsOfMap(flags.map);
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const ask = (form: string, columns?: string) =>
    download(endpoint, `/export?${queryOf(kind, flags, { format: form, columns })}`);
  const known: ExportColumn[] = JSON.parse(await wholeText(ask("columns")));
  if (flags.columns === "help") return printColumns(context, known, flags);
  const isEditable = known.some(({ isKey, isReadOnly }) => !isKey && !isReadOnly);
  const mapFile = file !== undefined && isEditable && flags.map === undefined ? mapBeside(file) : undefined;
  for (const each of [file, mapFile]) if (each !== undefined) await refuseToReplace(context, each, flags);
  const map = mapFile === undefined ? undefined : await wholeText(ask("map", given));
  const count = { rows: 0 };
  const written = format === "xlsx" ? "ndjson" : format;
  const content = countedRows(ask(written, given), written, count);
  if (file === undefined) await print(context, format === "xlsx" ? refuseXlsx() : content);
  else await writeWhole(file, format === "xlsx" ? await workbook(kind, content) : content, ownerOnly);
  if (mapFile !== undefined) await writeWhole(mapFile, map!);
  report(context, { ...target, ...count, mapFile }, flags);
}

async function workbook(
  kind: string,
  content: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const { xlsxOf } = await import("./xlsx.ts");
  return xlsxOf(kind, rowsOfNdjson(content));
}

function refuseXlsx(): never {
  throw new CliError("a workbook is not written to standard output: name a .xlsx file");
}

function formatOf(file: string | undefined): Format {
  if (file === undefined) return "csv";
  const format = exportFormats.find((known) => file.toLowerCase().endsWith(`.${known}`));
  if (format !== undefined) return format;
  throw new CliError(`${file} ends in none of .csv, .ndjson and .xlsx; --format says what to write`);
}

/** `stock.map.json` for `stock.csv` */
const mapBeside = (file: string): string => `${file.replace(/\.[^./\\]+$/, "")}.map.json`;

/** The columns that a map of an earlier export has, as `--columns` names them. */
async function columnsOfMap(file: string): Promise<string> {
  const text = await readText(file);
  if (text === undefined) throw new CliError(`there is no file ${file}`);
  const map = await parseJson(text, file);
  const exported = isObject(map) ? map.exported : undefined;
  const of = isObject(exported) ? exported.of : undefined;
  if (Array.isArray(of)) return of.join();
  throw new CliError(`${file} has no "exported": it is not a map of a table that \`lading export\` wrote`);
}

function queryOf(
  kind: string,
  { where, shape, language, publish, decimal, bom }: ExportFlags,
  { format, columns }: { format: string; columns: string | undefined },
): URLSearchParams {
  return new URLSearchParams({
    ...{ kind, format },
    ...(columns !== undefined && { columns }),
    ...(where.length > 0 && { where: where.join(" and ") }),
    ...(shape !== undefined && { shape }),
    ...(language !== undefined && { language }),
    ...(publish && { publish: "true" }),
    ...(decimal !== undefined && { decimal }),
    ...(bom && { bom: "true" }),
  });
}

async function wholeText(content: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of content) text += decoder.decode(chunk, { stream: true });
  return text;
}

function printColumns({ stdout }: Context, columns: readonly ExportColumn[], flags: ExportFlags): void {
  const noteOf = ({ isKey, isDefault, isReadOnly }: ExportColumn) =>
    [isKey ? "key" : isReadOnly && "read-only", isDefault && "default"].filter(Boolean).join(", ");
  const rows = [
    ["COLUMN", "", "WHAT IT IS"],
    ...columns.map((column) => [plain(column.name), noteOf(column), plain(column.about)]),
  ];
  if (flags.json) json(stdout, columns);
  else table(stdout, rows);
}

/** Prints a table as it is, or to a terminal without its control characters. */
async function print({ stdout }: Context, content: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of content) {
    const text = decoder.decode(chunk, { stream: true });
    stdout.write(stdout.isTTY ? text : control(text));
    await stdout.drained?.();
    if (stdout.hasReader === false) return;
  }
}

interface Exported extends Target {
  readonly rows: number;
  readonly mapFile: string | undefined;
}

function report(context: Context, { tenant, kind, file, rows, mapFile }: Exported, flags: ExportFlags): void {
  const map = mapFile ?? flags.map;
  if (file === undefined) note(context, counted(rows, "row"));
  else if (flags.json) json(context.stdout, { file, map: mapFile ?? null, rows });
  else confirm(context, `${file}: ${counted(rows, "row")}`);
  if (file === undefined || flags.json) return;
  if (map === undefined) note(context, `${kind} are read-only: there is no map.`);
  else {
    advise(context, `To convert what you edited: lading convert ${file} --map ${map} edited.json`);
    advise(context, `To see the changes: lading mass-operation plan ${tenant} edited.json`);
  }
}
