/** True when `If-None-Match` names the entity tag, so the client already has the content (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.split(",").some((each) => ["*", tag].includes(each.trim().replace(/^W\//, "")));
}

/** A part of a file, both ends inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header (RFC 9110, 14.1.2): undefined for the whole file, if the header is absent, not understood or
 * asks for several parts; `unsatisfiable` if the range is outside the file.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] =
    /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const [start, end] = [Number(first), last === "" ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}
