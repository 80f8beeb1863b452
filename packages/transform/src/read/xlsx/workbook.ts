import { didYouMean, quoted } from "@lading/schema/internal";
import { DataError } from "../../issues.ts";
import { type Attributes, parse, parsing } from "./xml.ts";
import { ZipArchive } from "./zip.ts";

/** The format of a number: as a date, or with zeros before it up to a length. */
export type NumberFormat = "date" | { readonly digits: number } | undefined;

export interface Sheet {
  readonly name: string;
  /** The part of the archive. */
  readonly part: string;
  readonly isHidden: boolean;
}

/** Limits of a workbook, in bytes. */
export const workbookLimits = {
  /** The file, which is kept in memory. */
  packed: 128 * 1024 ** 2,
  /** The part that texts are shared in, which are kept in memory, too. */
  texts: 256 * 1024 ** 2,
  /** Everything that is read. */
  unpacked: 1024 ** 3,
  /** The most times that a workbook may grow when it is unpacked to more than `anyRatio`. */
  ratio: 100,
  anyRatio: 64 * 1024 ** 2,
} as const;

const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MiB`;

/** A workbook in memory, packed. */
export class Workbook {
  readonly archive: ZipArchive;
  readonly #bytes: number;
  readonly #sheets: (Sheet & { id: string })[] = [];
  readonly #parts = new Map<string, { type: string; part: string }>();
  /** True where days are counted from 1904. */
  isFrom1904 = false;
  formats: readonly NumberFormat[] = [];
  texts: readonly string[] = [];

  constructor(bytes: Uint8Array) {
    this.archive = new ZipArchive(bytes);
    this.#bytes = bytes.length;
  }

  /** Reads the names of sheets. */
  async open(): Promise<void> {
    const root = await this.#relations("");
    const [book] = [...root.values()].filter(({ type }) => type === "officeDocument");
    if (book === undefined || !book.part.endsWith(".xml"))
      throw new DataError("InvalidWorkbook", "the file is an archive, but not a workbook of XLSX", null);
    const relations = await this.#relations(book.part);
    for (const [id, relation] of relations) this.#parts.set(id, relation);
    await this.#parse(book.part, (name, { name: title, state, date1904, ...attributes }) => {
      if (name === "workbookPr") this.isFrom1904 = date1904 === "1" || date1904 === "true";
      if (name !== "sheet" || title === undefined) return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
      const found = this.#parts.get(id);
      const isHidden = state === "hidden" || state === "veryHidden";
      if (found?.type === "worksheet") this.#sheets.push({ id, name: title, part: found.part, isHidden });
    });
  }

  /**
   * Finds the sheet of a name, or without one the only visible sheet that is not empty.
   * @throws DataError when there is none, or several
   */
  async sheet(name: string | undefined): Promise<Sheet> {
    const names = this.#sheets.map(({ name }) => name);
    if (name !== undefined) {
      const named = this.#sheets.find((sheet) => sheet.name === name);
      if (named !== undefined) return named;
      const near = didYouMean(name, names) ?? `it has ${names.map(quoted).join(", ")}`;
      throw new DataError("UnknownSheet", `the workbook has no sheet ${quoted(name)}; ${near}`, null);
    }
    const filled: Sheet[] = [];
    for (const sheet of this.#sheets)
      if (!sheet.isHidden && (await this.#hasCells(sheet))) filled.push(sheet);
    const [only] = filled;
    if (only === undefined)
      throw new DataError("EmptyFile", "the workbook has no visible sheet with cells", null);
    if (filled.length === 1) return only;
    const sheets = filled.map(({ name }) => name);
    const message = `the workbook has several sheets, ${sheets.map(quoted).join(", ")}: choose one (--sheet NAME)`;
    const several = new DataError("UnknownSheet", message, null);
    several.issue.sheets = sheets;
    throw several;
  }

  /** Reads what cells of sheets refer to. */
  async readShared(sheet: Sheet): Promise<void> {
    const parts = [...this.#parts.values()];
    const partOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.part;
    const [texts, styles] = [partOf("sharedStrings"), partOf("styles")];
    this.#checkSizes([sheet.part, texts, styles]);
    if (styles !== undefined) this.formats = await this.#readFormats(styles);
    if (texts === undefined) return;
    if ((this.archive.sizeOf(texts) ?? 0) > workbookLimits.texts)
      throw tooLarge(`texts of more than ${mebibytes(workbookLimits.texts)}`);
    this.texts = await this.#readTexts(texts);
  }

  #checkSizes(parts: readonly (string | undefined)[]): void {
    let size = 0;
    for (const part of parts) size += part === undefined ? 0 : (this.archive.sizeOf(part) ?? 0);
    const { unpacked, ratio, anyRatio } = workbookLimits;
    if (size > unpacked)
      throw tooLarge(`${mebibytes(size)} when it is unpacked, the limit is ${mebibytes(unpacked)}`);
    if (size > anyRatio && size > ratio * this.#bytes)
      throw tooLarge(`${mebibytes(size)} when it is unpacked, more than ${ratio} times its size`);
  }

  async #hasCells({ part }: Sheet): Promise<boolean> {
    this.#checkSizes([part]);
    let found = false;
    const open = (name: string) => {
      found ||= name === "v" || name === "is" || name === "f";
    };
    for await (const _ of parsing(part, this.archive.chunksOf(part), { open })) if (found) break;
    return found;
  }

  /** The parts that a part refers to, by id. */
  async #relations(part: string): Promise<Map<string, { type: string; part: string }>> {
    const at = part.lastIndexOf("/") + 1;
    const folder = part.slice(0, at);
    const relations = new Map<string, { type: string; part: string }>();
    const file = `${folder}_rels/${part.slice(at)}.rels`;
    if (this.archive.sizeOf(file) === undefined) return relations;
    await this.#parse(file, (name, { Id = "", Type = "", Target = "" }) => {
      if (name !== "Relationship") return;
      const target = Target.startsWith("/") ? Target.slice(1) : folder + Target;
      relations.set(Id, { type: Type.slice(Type.lastIndexOf("/") + 1), part: target });
    });
    return relations;
  }

  async #readFormats(part: string): Promise<NumberFormat[]> {
    const codes = new Map<number, string>();
    const formats: NumberFormat[] = [];
    let isCell = false;
    await this.#parse(part, (name, { numFmtId, formatCode = "" }) => {
      if (name === "numFmt") codes.set(Number(numFmtId), formatCode.slice(0, longestFormat));
      if (name === "cellXfs" || name === "cellStyleXfs" || name === "dxfs") isCell = name === "cellXfs";
      if (name === "xf" && isCell) formats.push(formatOf(Number(numFmtId), codes.get(Number(numFmtId))));
    });
    return formats;
  }

  async #readTexts(part: string): Promise<string[]> {
    const texts: string[] = [];
    const text = new TextCollector();
    await parse(part, this.archive.chunksOf(part), {
      open: (name) => text.open(name),
      text: (piece) => text.add(piece),
      close(name) {
        text.close(name);
        if (name === "si") texts.push(text.take());
      },
    });
    return texts;
  }

  async #parse(part: string, open: (name: string, attributes: Attributes) => void): Promise<void> {
    this.#checkSizes([part]);
    await parse(part, this.archive.chunksOf(part), { open });
  }
}

const tooLarge = (what: string) => new DataError("TooLarge", `the workbook has ${what}`, null);

/** Collects the text of `t` elements, without the pronunciation of words (`rPh`). */
export class TextCollector {
  #text = "";
  #isText = false;
  #isSpoken = false;

  open(name: string): void {
    if (name === "rPh") this.#isSpoken = true;
    else if (name === "t" && !this.#isSpoken) this.#isText = true;
  }

  add(text: string): void {
    if (this.#isText) this.#text += text;
  }

  close(name: string): void {
    if (name === "rPh") this.#isSpoken = false;
    else if (name === "t") this.#isText = false;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return decoded(text);
  }
}

/** Characters that XML cannot have are written as `_x000D_`. */
export const decoded = (text: string) =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Characters of the longest format that Excel reads. */
const longestFormat = 255;

/** The numbers of dates and times among the formats that have no code. */
const isDateFormat = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return isDateFormat(id) ? "date" : undefined;
  if (/^0{2,}$/.test(code)) return { digits: code.length };
  // Letters count outside of texts, colours, conditions and escapes.
  const letters = code.replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, "").split(";")[0]!;
  return /[ymdhs]/i.test(letters) || /\[(?:h+|m+|s+)\]/i.test(code) ? "date" : undefined;
}
