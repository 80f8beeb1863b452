import { GIF } from "image-size/types/gif";
import { HEIF } from "image-size/types/heif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import type { ImageType } from "./image-types.ts";
import { svgSize } from "./svg.ts";

export interface ImageHeader {
  type: ImageType;
  /** In pixels, as displayed; null for a drawing (SVG) without a size. */
  width: number | null;
  height: number | null;
}

interface Size {
  width: number;
  height: number;
  /** As in Exif: from 5 on, the image is displayed rotated by 90 degrees. */
  orientation?: number | undefined;
}

/** A kind of image whose bytes are looked at by a library that knows its format. */
interface Format {
  type: ImageType;
  matches(bytes: Uint8Array): boolean;
  size(bytes: Uint8Array): Size;
}

const formats: readonly Format[] = [
  { type: "png", matches: PNG.validate, size: PNG.calculate },
  { type: "jpg", matches: JPG.validate, size: JPG.calculate },
  { type: "gif", matches: GIF.validate, size: GIF.calculate },
  { type: "webp", matches: WEBP.validate, size: WEBP.calculate },
  { type: "avif", matches: isAvif, size: (bytes) => HEIF.calculate(bytes.subarray(0, avifHeaderBytes)) },
];

/** The library looks at each box once for every other one: more of them would cost seconds, and no image has more. */
const avifHeaderBytes = 64 * 1024;

/** The largest length of a side that a column takes. */
const longestSide = 2 ** 31 - 1;

/**
 * Reads the first bytes of a file as an image (`headerBytes` of them are enough); undefined when it is of none of the
 * known kinds.
 */
export function readImageHeader(start: Uint8Array): ImageHeader | undefined {
  // Given a part of a larger buffer, the library would read beyond its end.
  const bytes = start.byteLength === start.buffer.byteLength ? start : new Uint8Array(start);
  for (const format of formats) {
    const size = sizeBy(format, bytes);
    if (size !== undefined) return { type: format.type, ...asShown(size) };
  }
  const drawing = svgSize(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  return drawing && { type: "svg", ...drawing };
}

/** The library throws at a header that is cut off or contradicts itself: then the file is not an image. */
function sizeBy({ matches, size }: Format, bytes: Uint8Array): Size | undefined {
  try {
    if (!matches(bytes)) return undefined;
    const sides = size(bytes);
    return [sides.width, sides.height].every(isSide) ? sides : undefined;
  } catch {
    return undefined;
  }
}

const isSide = (length: number) => Number.isInteger(length) && length > 0 && length <= longestSide;

const asShown = ({ width, height, orientation = 1 }: Size) =>
  orientation < 5 ? { width, height } : { width: height, height: width };

/** The file type box, which lists the brands of the format: still images and sequences of AVIF. */
function isAvif(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 256)).toString(
    "latin1",
  );
  if (text.slice(4, 8) !== "ftyp") return false;
  const end = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), text.length);
  const brands = text.slice(8, end).match(/.{4}/gs) ?? [];
  return brands.some((brand) => brand === "avif" || brand === "avis");
}
