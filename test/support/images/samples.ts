/** The smallest files that are images of these sizes by their headers; nothing follows that could be shown. */

const text = (value: string) => Buffer.from(value, "latin1");
const bytes = (...values: number[]) => Buffer.from(values);
const uint32 = (value: number) => bytes(value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255);
const uint16 = (value: number) => bytes(value >> 8, value & 255);
const little = (value: number, length: number) =>
  Buffer.from(Array.from({ length }, (_, i) => (value >> (8 * i)) & 255));

/** A PNG; `seed` makes its bytes differ, `size` is its length in bytes. */
export function png(width: number, height: number, seed = 0, size = 0): Buffer {
  const header = Buffer.concat([
    bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    uint32(13),
    text("IHDR"),
    uint32(width),
    uint32(height),
    bytes(8, 2, 0, 0, 0),
    uint32(seed),
  ]);
  return Buffer.concat([header, Buffer.alloc(Math.max(0, size - header.length), seed % 251)]);
}

export const gif = (width: number, height: number) =>
  Buffer.concat([text("GIF89a"), little(width, 2), little(height, 2), bytes(0, 0, 0, 0x3b)]);

/** `orientation` as in Exif. */
export function jpeg(width: number, height: number, orientation?: number): Buffer {
  const tiff = Buffer.concat([
    text("MM\0*"),
    uint32(8),
    uint16(1),
    uint16(274),
    uint16(3),
    uint32(1),
    uint16(orientation ?? 1),
    uint16(0),
    uint32(0),
  ]);
  const exif = Buffer.concat([text("Exif\0\0"), tiff]);
  const app1 = Buffer.concat([bytes(0xff, 0xe1), uint16(exif.length + 2), exif]);
  const app0 = Buffer.concat([bytes(0xff, 0xe0), uint16(16), text("JFIF\0"), Buffer.alloc(9)]);
  const size = Buffer.concat([uint16(height), uint16(width)]);
  const frame = Buffer.concat([bytes(0xff, 0xc0), uint16(11), bytes(8), size, bytes(1, 1, 0x11, 0)]);
  const first = orientation === undefined ? app0 : app1;
  return Buffer.concat([bytes(0xff, 0xd8), first, frame, bytes(0xff, 0xd9)]);
}

export const webp = (width: number, height: number) =>
  Buffer.concat([
    text("RIFF"),
    little(22, 4),
    text("WEBPVP8X"),
    little(10, 4),
    bytes(0, 0, 0, 0),
    little(width - 1, 3),
    little(height - 1, 3),
  ]);

const box = (name: string, ...content: Buffer[]) => {
  const inner = Buffer.concat(content);
  return Buffer.concat([uint32(inner.length + 8), text(name), inner]);
};

export const avif = (width: number, height: number, brand = "avif") =>
  Buffer.concat([
    box("ftyp", text(brand), uint32(0), text("mif1avif")),
    box("meta", uint32(0), box("iprp", box("ipco", box("ispe", uint32(0), uint32(width), uint32(height))))),
  ]);

export const svg = (attributes = 'width="30" height="20"', before = "") =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><circle r="5"/></svg>`);
