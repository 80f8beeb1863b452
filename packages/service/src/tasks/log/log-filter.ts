import { causeLength, reject } from "../../errors.ts";
import type { LogFilter } from "../../storage/task-details/operation-logs.ts";

/** The status code of all entries with the status `success`, and of no others. */
const succeeded = 200;

/** Maximum length of a log search text, in characters. */
export const searchedTextLength = 200;

const lengths = { text: searchedTextLength, cause: causeLength } as const;

/**
 * Converts the filter for storage. Rejects with `ValidationError` an empty or too long text, and an action combined
 * with filters that only failures match; `path` leads to the filter in the request.
 */
export function logFilter(given: LogFilter, path: readonly string[] = []): LogFilter {
  const { status, action, statusCode, cause, errorName, unrepaired } = given;
  for (const name of ["text", "cause"] as const) checkLength(name, given[name], path);
  const ofFailures = {
    ...{ errorName, cause, unrepaired: unrepaired || null },
    statusCode: statusCode === succeeded ? null : statusCode,
  };
  const [name] = Object.entries(ofFailures).find(([, value]) => (value ?? null) !== null) ?? [];
  if (action && name !== undefined)
    reject("ValidationError", `action and ${name} cannot be combined: what fails has no action`, [
      ...path,
      "action",
    ]);
  if (statusCode !== succeeded) return given;
  const isSuccess = name === undefined && (status ?? "success") === "success";
  return isSuccess ? { ...given, status: "success", statusCode: null } : { ...given, status: "success" };
}

function checkLength(
  name: keyof typeof lengths,
  value: string | null | undefined,
  path: readonly string[],
): void {
  const most = lengths[name];
  if (typeof value !== "string" || (value !== "" && value.length <= most)) return;
  reject("ValidationError", `${name} has ${value.length} characters; it must have 1 to ${most}`, [
    ...path,
    name,
  ]);
}
