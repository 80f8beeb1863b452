import { strToU8, Zip, ZipDeflate } from "fflate";
import { CliError } from "../exit.ts";

/** Limits of XLSX: ECMA-376 has none, but Excel does not open more. */
const xlsxLimits = { rows: 1_048_576, columns: 16_384, characters: 32_767 } as const;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const openXml = "http://schemas.openxmlformats.org";
const relations = `${openXml}/officeDocument/2006/relationships`;
const main = `${openXml}/spreadsheetml/2006/main`;
const relationship = (type: string, target: string) =>
  `<Relationships xmlns="${openXml}/package/2006/relationships"><Relationship Id="r1" Type="${relations}/${type}" Target="${target}"/></Relationships>`;
const contentType = (part: string, type: string) =>
  `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;

const sheetPart = "xl/worksheets/sheet1.xml";

/** The parts of a workbook with one sheet, without the sheet (ECMA-376, part 1). */
const parts = (name: string): Readonly<Record<string, string>> => ({
  "[Content_Types].xml":
    `<Types xmlns="${openXml}/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `${contentType("/xl/workbook.xml", "sheet.main")}${contentType(`/${sheetPart}`, "worksheet")}</Types>`,
  "_rels/.rels": relationship("officeDocument", "xl/workbook.xml"),
  "xl/_rels/workbook.xml.rels": relationship("worksheet", "worksheets/sheet1.xml"),
  "xl/workbook.xml":
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>` +
    `<sheet name="${escaped(name)}" sheetId="1" r:id="r1"/></sheets></workbook>`,
});

/** The first row stays in sight. */
const sheetBegin =
  `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>';
const sheetEnd = "</sheetData></worksheet>";

/** Characters of the sheet that are compressed together. */
const pieceLength = 64 * 1024;

/**
 * Writes rows as the only sheet of a workbook, piece by piece. Texts are cells of text, also those that look like
 * numbers or formulas. @throws CliError beyond `xlsxLimits`
 */
export async function* xlsxOf(
  name: string,
  rows: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, data) => {
    if (error) throw error;
    written.push(data);
  });
  const part = (path: string) => {
    const file = new ZipDeflate(path, { level: 6 });
    zip.add(file);
    return file;
  };
  for (const [path, text] of Object.entries(parts(name))) part(path).push(strToU8(head + text), true);
  const sheet = part(sheetPart);
  let text = sheetBegin;
  let number = 0;
  for await (const row of rows) {
    number++;
    text += rowOf(row, number);
    if (text.length < pieceLength) continue;
    sheet.push(strToU8(text));
    text = "";
    yield* written.splice(0);
  }
  sheet.push(strToU8(text + sheetEnd), true);
  zip.end();
  yield* written;
}

function rowOf(row: readonly unknown[], number: number): string {
  const { rows, columns } = xlsxLimits;
  if (number > rows)
    throw new CliError(
      `an XLSX file has at most ${rows} rows: narrow them with --where, or write a .csv file`,
    );
  if (row.length > columns)
    throw new CliError(`an XLSX file has at most ${columns} columns: choose some with --columns`);
  return `<row>${row.map((value) => cellOf(value, number)).join("")}</row>`;
}

function cellOf(value: unknown, number: number): string {
  if (value === null || value === undefined || value === "") return "<c/>";
  if (typeof value === "number" && isKept(value)) return `<c><v>${value}</v></c>`;
  if (typeof value === "boolean") return `<c t="b"><v>${Number(value)}</v></c>`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const { characters } = xlsxLimits;
  if (text.length > characters)
    throw new CliError(
      `row ${number} has a cell of ${text.length} characters, and a cell of an XLSX file at most ${characters}: ` +
        "leave out its column with --columns, or write a .csv file",
    );
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** True for a number that spreadsheets keep, of at most 15 digits. Others are texts, which maps read as numbers. */
const isKept = (value: number) => Math.abs(value) < 1e15 && Number(value.toPrecision(15)) === value;

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes what XML has no text for as `_x000D_`, as ECMA-376 does (22.9.2.19), and text of that form, too. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (one) => (one === "\n" || one === "\t" ? one : `_x${hex(one)}_`))
    .replace(/[&<>"]/g, (one) => entities[one]!);
}

const hex = (one: string) => one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
