import { type JsonPath, valueRules } from "@lading/schema";
import { rejectAll } from "../../errors.ts";
import { pathText } from "./limit-check.ts";

const top: JsonPath = [];

/**
 * Rejects a key of the client that a row is to get and that is blank or has white space around it (`ValidationError`).
 * `stored` is the key that the row has: it stays. The key is at `field` under `path` in the payload.
 */
export function refuseNewKey(
  key: string | null | undefined,
  field: string,
  stored?: string | null,
  path: JsonPath = top,
): void {
  if (key === null || key === undefined || key === stored) return;
  const objection = valueRules.key.objection(key);
  if (objection === undefined) return;
  const at = [...path, field];
  rejectAll("ValidationError", [
    { code: valueRules.key.code, message: `${pathText(at)} ${objection}`, path: at },
  ]);
}
