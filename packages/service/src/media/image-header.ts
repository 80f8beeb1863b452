import { GIF } from "image-size/types/gif";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import { avifSize, isAvif } from "./avif-size.ts";
import type { ImageType, Size } from "./image-types.ts";
import { isJpeg, jpegSize } from "./jpeg-size.ts";
import { svgSize } from "./svg.ts";

export interface ImageHeader {
  type: ImageType;
  /** In pixels, as displayed; null for a drawing (SVG) without a size. */
  width: number | null;
  height: number | null;
}

/**
 * An image format, recognized by its bytes. A library reads sizes at a fixed position; variable positions are read
 * here, within limits: the library's time is quadratic in what precedes them.
 */
interface Format {
  type: ImageType;
  matches(bytes: Buffer): boolean;
  size(bytes: Buffer): Size | undefined;
}

const formats: readonly Format[] = [
  { type: "png", ...atFixedPosition(PNG) },
  { type: "jpg", matches: isJpeg, size: jpegSize },
  { type: "gif", ...atFixedPosition(GIF) },
  { type: "webp", ...atFixedPosition(WEBP) },
  { type: "avif", matches: isAvif, size: avifSize },
];

/** Has the library read a copy of the first bytes: in a slice of a larger buffer it would read beyond its end. */
function atFixedPosition({ validate, calculate }: typeof PNG): Pick<Format, "matches" | "size"> {
  const first = (bytes: Buffer) => new Uint8Array(bytes.subarray(0, 64));
  return { matches: (bytes) => validate(first(bytes)), size: (bytes) => calculate(first(bytes)) };
}

/** The leading bytes of a drawing that must contain its root element and size. */
const drawingBytes = 64 * 1024;

/** The longest side a column can store. */
const longestSide = 2 ** 31 - 1;

/** Reads the first bytes of a file as an image (`headerBytes` are enough); undefined for unknown formats. */
export function readImageHeader(start: Uint8Array): ImageHeader | undefined {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  for (const format of formats) {
    const size = sizeBy(format, bytes);
    if (size !== undefined) return { type: format.type, ...asShown(size) };
  }
  const drawing = svgSize(bytes.toString("utf8", 0, drawingBytes));
  return drawing && { type: "svg", ...drawing };
}

/** A truncated or contradictory header throws: the file is not an image then. */
function sizeBy({ matches, size }: Format, bytes: Buffer): Size | undefined {
  try {
    if (!matches(bytes)) return undefined;
    const sides = size(bytes);
    return sides && [sides.width, sides.height].every(isSide) ? sides : undefined;
  } catch {
    return undefined;
  }
}

const isSide = (length: number) => Number.isInteger(length) && length > 0 && length <= longestSide;

const asShown = ({ width, height, orientation = 1 }: Size) =>
  orientation < 5 ? { width, height } : { width: height, height: width };
