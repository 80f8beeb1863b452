import { type JsonPath, valueRules } from "@lading/schema/internal";
import { rejectAll } from "../../errors.ts";
import { pathText } from "./limit-check.ts";

const top: JsonPath = [];

/**
 * Rejects a client's new key that is blank or has surrounding white space (`ValidationError`). `stored` is the row's
 * current key, which may stay. The key is at `field` under `path` in the payload.
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
