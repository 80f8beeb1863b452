/** The result of one check. A `problem` must be solved; a `note` is good to know. */
export interface Finding {
  level: "ok" | "note" | "problem";
  what: string;
  detail: string;
}
