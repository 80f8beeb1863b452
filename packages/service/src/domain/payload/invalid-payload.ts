import { type Problem, problemText } from "@lading/schema";
import { allOf, Rejection } from "../../errors.ts";

/** Rejects a payload with all problems its schema found. */
export function invalidPayload(problems: readonly Problem[]): Rejection {
  const message = allOf(problems.map(problemText));
  return new Rejection("ValidationError", message ?? "The payload is not valid.", problems);
}
