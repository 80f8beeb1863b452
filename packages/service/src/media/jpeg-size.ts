import type { Size } from "./image-types.ts";

/** Limit of segments before the frame: a photo has tens, plus up to 255 for a large color profile. */
const mostSegments = 1_000;

export const isJpeg = (bytes: Buffer): boolean => bytes.readUInt16BE(0) === 0xffd8;

/** The size in a JPEG's frame, with the orientation of its Exif segment. @throws RangeError when truncated */
export function jpegSize(bytes: Buffer): Size | undefined {
  let exif: { orientation?: number | undefined } | undefined;
  for (let at = 2, segments = 0; segments < mostSegments; segments++) {
    // Bytes between two segments are skipped, as decoders do.
    at = bytes.indexOf(0xff, at);
    if (at < 0) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7), ...exif };
    if (marker === markers.exif && isExif(bytes, at)) exif ??= { orientation: orientationIn(bytes, at) };
    at += hasLength(marker) ? 2 + Math.max(2, bytes.readUInt16BE(at + 2)) : 1;
  }
  return undefined;
}

const markers = { exif: 0xe1, huffmanTables: 0xc4, reserved: 0xc8, arithmetic: 0xcc } as const;

const isFrame = (marker: number) =>
  marker >= 0xc0 &&
  marker <= 0xcf &&
  ![markers.huffmanTables, markers.reserved, markers.arithmetic].some((other) => other === marker);

/** Neither fill bytes nor standalone markers have one. */
const hasLength = (marker: number) => marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd9);

const orientationTag = 274;

/** Other metadata uses segments with the same marker. */
const isExif = (bytes: Buffer, at: number) => bytes.toString("latin1", at + 4, at + 10) === "Exif\0\0";

/** The orientation in the first directory of an Exif segment; undefined when it has none. */
function orientationIn(bytes: Buffer, at: number): number | undefined {
  const tiff = bytes.subarray(at + 10, at + 2 + bytes.readUInt16BE(at + 2));
  if (tiff.length < 8) return undefined;
  const order = tiff.toString("latin1", 0, 2);
  if (order !== "MM" && order !== "II") return undefined;
  const read16 = (offset: number) => (order === "MM" ? tiff.readUInt16BE(offset) : tiff.readUInt16LE(offset));
  const directory = order === "MM" ? tiff.readUInt32BE(4) : tiff.readUInt32LE(4);
  if (directory + 2 > tiff.length) return undefined;
  const end = Math.min(directory + 2 + 12 * read16(directory), tiff.length - 11);
  for (let entry = directory + 2; entry < end; entry += 12)
    if (read16(entry) === orientationTag) return read16(entry + 8);
  return undefined;
}
