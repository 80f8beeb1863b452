import type { Size } from "./image-types.ts";

/** The leading bytes in which an image's properties are looked for. */
const headerBytes = 64 * 1024;

/** Limit of boxes skipped on one level: an image has tens of them. */
const mostBoxes = 1_000;

/** The file type box lists the brands of the format: AVIF still images and sequences. */
export function isAvif(bytes: Buffer): boolean {
  const text = bytes.toString("latin1", 0, 256);
  if (text.slice(4, 8) !== "ftyp") return false;
  const brands = text.slice(8, Math.min(bytes.readUInt32BE(0), text.length)).match(/.{4}/gs) ?? [];
  return brands.some((brand) => brand === "avif" || brand === "avis");
}

/** The first size among the properties of an AVIF, cut to its clean aperture. @throws RangeError when truncated */
export function avifSize(bytes: Buffer): Size | undefined {
  const meta = contentOf("meta", bytes.subarray(0, headerBytes));
  // After the version and flags of the box.
  const properties = contentOf("iprp", meta?.subarray(4));
  const container = contentOf("ipco", properties);
  const extent = contentOf("ispe", container);
  if (extent === undefined) return undefined;
  const aperture = contentOf("clap", container);
  return {
    width: apertureAt(aperture, 0) ?? extent.readUInt32BE(4),
    height: apertureAt(aperture, 8) ?? extent.readUInt32BE(8),
  };
}

/** A length as a fraction; undefined without one. */
function apertureAt(aperture: Buffer | undefined, offset: number): number | undefined {
  if (aperture === undefined) return undefined;
  return Math.round(aperture.readUInt32BE(offset) / aperture.readUInt32BE(offset + 4));
}

/** The content of the first box with a name; undefined without one. */
function contentOf(name: string, boxes: Buffer = Buffer.alloc(0)): Buffer | undefined {
  for (let at = 0, passed = 0; at + 8 <= boxes.length && passed < mostBoxes; passed++) {
    const size = boxes.readUInt32BE(at);
    const head = size === 1 ? 16 : 8;
    const end = size === 0 ? boxes.length : at + (size === 1 ? Number(boxes.readBigUInt64BE(at + 8)) : size);
    if (end < at + head) return undefined;
    if (boxes.toString("latin1", at + 4, at + 8) === name) return boxes.subarray(at + head, end);
    at = end;
  }
  return undefined;
}
