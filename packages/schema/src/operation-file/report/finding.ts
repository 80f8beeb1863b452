import type { Issue, IssueCode } from "./issue.ts";

/** An issue of one value, before its position in the file is known. */
export interface Finding {
  readonly severity: Issue["severity"];
  readonly code: IssueCode | (string & {});
  readonly message: string;
  /** JSON pointer from the value. */
  readonly pointer: string;
  /** Its offset in the value's text, in UTF-16 units, if known. */
  readonly at?: number;
  /** Its offset in the string at the pointer, in UTF-16 units. */
  readonly inside?: number;
  /** A name no operation has so far; a later one may have it. */
  readonly undefinedName?: string;
}
