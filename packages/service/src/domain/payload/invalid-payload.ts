import { type Problem, problemText } from "@lading/schema";
import { Rejection } from "../../errors.ts";

/** What a schema found wrong with a payload; the message is the first of it and how many more there are. */
export function invalidPayload(errors: readonly Problem[]): Rejection {
  const [first, ...more] = errors.map(problemText);
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  return new Rejection("ValidationError", `${first}${others}`, errors);
}
