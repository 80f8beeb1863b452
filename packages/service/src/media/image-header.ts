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
 * A kind of image by its bytes. Where the size is at a fixed place a library reads it; what has to be looked for is
 * read here, within limits: the library's time grows with the square of what is before it.
 */
interface Format {
  type: ImageType;
  matches(bytes: Buffer): boolean;
  size(bytes: Buffer): Size | undefined;
}

const formats: readonly Format[] = [
  { type: "png", ...atFixedPlace(PNG) },
  { type: "jpg", matches: isJpeg, size: jpegSize },
  { type: "gif", ...atFixedPlace(GIF) },
  { type: "webp", ...atFixedPlace(WEBP) },
  { type: "avif", matches: isAvif, size: avifSize },
];

/** Has the library read a copy of the first bytes: in a part of a larger buffer it would read beyond its end. */
function atFixedPlace({ validate, calculate }: typeof PNG): Pick<Format, "matches" | "size"> {
  const first = (bytes: Buffer) => new Uint8Array(bytes.subarray(0, 64));
  return { matches: (bytes) => validate(first(bytes)), size: (bytes) => calculate(first(bytes)) };
}

/** The bytes of a drawing within which its root element begins and has its size. */
const drawingBytes = 64 * 1024;

/** The largest length of a side that a column takes. */
const longestSide = 2 ** 31 - 1;

/**
 * Reads the first bytes of a file as an image (`headerBytes` of them are enough); undefined when it is of none of the
 * known kinds.
 */
export function readImageHeader(start: Uint8Array): ImageHeader | undefined {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  for (const format of formats) {
    const size = sizeBy(format, bytes);
    if (size !== undefined) return { type: format.type, ...asShown(size) };
  }
  const drawing = svgSize(bytes.toString("utf8", 0, drawingBytes));
  return drawing && { type: "svg", ...drawing };
}

/** A header that is cut off or contradicts itself throws: then the file is not an image. */
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
