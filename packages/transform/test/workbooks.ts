import { crc32, deflateRawSync } from "node:zlib";

type Claims = Readonly<Record<string, number>>;

/** Packs parts into a ZIP archive, whose directory may claim other sizes of parts than they have. */
export function zip(parts: Readonly<Record<string, string | Uint8Array>>, claims: Claims = {}): Uint8Array {
  const [members, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, part] of Object.entries(parts)) {
    const [data, file] = [Buffer.from(part as string), Buffer.from(name)];
    const packed = deflateRawSync(data);
    const fields = Buffer.alloc(26);
    for (const [at, value] of [20, 0, 8, 0, 0].entries()) fields.writeUInt16LE(value, at * 2);
    for (const [at, value] of [crc32(data), packed.length, claims[name] ?? data.length].entries())
      fields.writeUInt32LE(value, 10 + at * 4);
    fields.writeUInt16LE(file.length, 22);
    members.push(Buffer.from("PK\u0003\u0004"), fields, file, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0000"), fields, rest, file);
    offset += 30 + file.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(members.length / 4, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...members, listed, end]);
}

interface Parts {
  /** Elements within each `sheetData`, or the whole rest of the sheet. */
  readonly sheets?: Readonly<Record<string, string>>;
  readonly texts?: string;
  /** Codes of number formats, whose styles are 1, 2 …. */
  readonly formats?: readonly string[];
  readonly properties?: string;
  readonly states?: Readonly<Record<string, string>>;
}

const relations = (list: readonly string[]) =>
  `<Relationships>${list.map((type, at) => `<Relationship Id="rId${at}" Type="x/${type.split(" ")[0]}" Target="${type.split(" ")[1]}"/>`).join("")}</Relationships>`;

/** A workbook with these sheets, by name. */
export function workbook(
  { sheets = {}, texts = "", formats = [], properties = "", states = {} }: Parts,
  claims: Claims = {},
) {
  const names = Object.keys(sheets);
  const xml = (text: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`;
  const parts: Record<string, string> = {
    "_rels/.rels": relations(["officeDocument xl/workbook.xml"]),
    "xl/workbook.xml": `<workbook>${properties}<sheets>${names
      .map((name, at) => `<sheet name="${name}" state="${states[name] ?? "visible"}" r:id="rId${at}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...names.map((_, at) => `worksheet worksheets/sheet${at}.xml`),
      "sharedStrings /xl/sharedStrings.xml",
      "styles styles.xml",
    ]),
    "xl/sharedStrings.xml": `<sst>${texts}</sst>`,
    "xl/styles.xml": `<styleSheet><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`)
      .join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_, at) => `<xf numFmtId="${200 + at}"/>`)
      .join("")}<xf numFmtId="14"/></cellXfs></styleSheet>`,
  };
  for (const [at, content] of Object.values(sheets).entries()) {
    const data = content.includes("<sheetData") ? content : `<sheetData>${content}</sheetData>`;
    parts[`xl/worksheets/sheet${at}.xml`] = `<x:worksheet xmlns:x="y">${data}</x:worksheet>`;
  }
  return zip(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, xml(part)])), claims);
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A row of inline texts and numbers, and of whole cells as they are. */
export const row = (...cells: readonly (string | number)[]) =>
  `<row>${cells
    .map((cell) =>
      typeof cell === "number"
        ? `<c><v>${cell}</v></c>`
        : cell.startsWith("<c")
          ? cell
          : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`,
    )
    .join("")}</row>`;
