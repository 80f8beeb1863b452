import { reject } from "../../errors.ts";

/** A cursor that is a position in a list. Rejects with `ValidationError` any other cursor. */
export function positionAfter(after: string | null | undefined): string | null {
  if (!after) return null;
  if (/^\d{1,9}$/.test(after)) return after;
  reject(
    "ValidationError",
    `"${after}" is not a cursor of this list; take the endCursor of the page before`,
    ["after"],
  );
}
