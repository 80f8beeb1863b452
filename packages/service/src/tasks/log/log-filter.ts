import { causeLength, causeOf, reject } from "../../errors.ts";
import type { LogFilter } from "../../storage/task-details/operation-logs.ts";

/** The status code of every entry whose status is `success`, and of no other. */
const succeeded = 200;

/**
 * The filter as the log is asked for it. Rejects with `ValidationError` a text that no cause can have, and an action
 * together with what only failures have; `path` leads to the filter in the request.
 */
export function logFilter(given: LogFilter, path: readonly string[] = []): LogFilter {
  const { status, action, statusCode, text, cause, errorName, unrepaired } = given;
  for (const [name, value] of Object.entries({ text, cause }))
    if (typeof value === "string" && (value === "" || value.length > causeLength))
      reject("ValidationError", `${name} has ${value.length} characters; a cause has 1 to ${causeLength}`, [
        ...path,
        name,
      ]);
  const ofFailures = {
    ...{ errorName, cause, text, unrepaired: unrepaired || null },
    statusCode: statusCode === succeeded ? null : statusCode,
  };
  const [name] = Object.entries(ofFailures).find(([, value]) => (value ?? null) !== null) ?? [];
  if (action && name !== undefined)
    reject("ValidationError", `action and ${name} cannot be combined: what fails has no action`, [
      ...path,
      "action",
    ]);
  const filter = { ...given, text: text && causeOf(text) };
  if (statusCode !== succeeded) return filter;
  const isSuccess = name === undefined && (status ?? "success") === "success";
  return isSuccess ? { ...filter, status: "success", statusCode: null } : { ...filter, status: "success" };
}
