import { DataError } from "../../issues.ts";

/** A member of an archive, as the archive's directory describes it. */
interface Member {
  readonly isPacked: boolean;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

export const damaged = (what: string) =>
  new DataError(
    "InvalidWorkbook",
    `the workbook is damaged: ${what}; open it in a spreadsheet, and save it again`,
    null,
  );

const endMark = 0x06054b50;
const [endLength, entryLength, headLength] = [22, 46, 30];
/** The size of a member whose sizes are in a further field, as ZIP64 writes those of more than 4 GiB. */
const elsewhere = 0xffffffff;

/** A ZIP archive in memory. Nothing is unpacked before it is asked for. */
export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #members = new Map<string, Member>();

  /** @throws DataError when its directory cannot be read */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    try {
      this.#readDirectory();
    } catch (error) {
      throw error instanceof RangeError ? damaged("its directory is incomplete") : error;
    }
  }

  #readDirectory(): void {
    const view = this.#view;
    let end = this.#bytes.length - endLength;
    // A comment of up to 64 KiB may follow.
    const first = Math.max(0, end - 0xffff);
    while (end >= first && view.getUint32(end, true) !== endMark) end--;
    if (end < first) throw damaged("its end is missing");
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
      const [packedSize, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
      const nameLength = view.getUint16(at + 28, true);
      const name = new TextDecoder().decode(
        this.#bytes.subarray(at + entryLength, at + entryLength + nameLength),
      );
      if ((flags & 1) === 1 || (method !== 0 && method !== 8) || size === elsewhere)
        throw damaged(`its part ${name} is packed in an unusual way`);
      this.#members.set(name, {
        isPacked: method === 8,
        packedSize,
        size,
        offset: view.getUint32(at + 42, true),
      });
      at += entryLength + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
  }

  /** The size of a member when unpacked; undefined where there is none. */
  sizeOf(name: string): number | undefined {
    return this.#members.get(name)?.size;
  }

  /**
   * Unpacks a member in chunks, no more than its size.
   * @throws DataError when it is damaged, or larger than the directory says
   */
  async *chunksOf(name: string): AsyncGenerator<Uint8Array> {
    const member = this.#members.get(name);
    if (member === undefined) throw damaged(`it has no part ${name}`);
    const { offset, packedSize, size, isPacked } = member;
    if (offset + headLength > this.#bytes.length) throw damaged(`the part ${name} is missing`);
    const lengths = this.#view.getUint16(offset + 26, true) + this.#view.getUint16(offset + 28, true);
    const start = offset + headLength + lengths;
    const packed = this.#bytes.subarray(start, start + packedSize);
    let length = 0;
    for await (const chunk of isPacked ? inflated(packed, name) : [packed]) {
      length += chunk.length;
      if (length > size) throw damaged(`the part ${name} is larger than the directory says`);
      yield chunk;
    }
    if (length < size) throw damaged(`the part ${name} is incomplete`);
  }
}

async function* inflated(packed: Uint8Array, name: string): AsyncGenerator<Uint8Array> {
  const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream();
  const reader = stream.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch (error) {
    throw error instanceof TypeError ? damaged(`the part ${name} cannot be unpacked`) : error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
