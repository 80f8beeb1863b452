import type { Issue, IssueCode } from "./issue.ts";

/** An issue of one value whose place is not looked up yet. */
export interface Finding {
  readonly severity: Issue["severity"];
  readonly code: IssueCode | (string & {});
  readonly message: string;
  /** JSON pointer from the value. */
  readonly pointer: string;
  /** Where it is in the value's text, in UTF-16 units, when that is known. */
  readonly at?: number;
  /** Where it is in the string at the pointer, in UTF-16 units. */
  readonly inside?: number;
  /** A name that stands for no operation so far; whether it ever does, the rest of the file tells. */
  readonly undefinedName?: string;
}
