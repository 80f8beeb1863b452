import { isObject } from "../is-object.ts";

/** True for a field that tells an operation from others and is not part of its payload: it is never rendered. */
export const isEnvelopeField = (name: string | number): boolean => name === "intent" || name === "_ref";

/** An operation without its envelope, `intent` and `_ref`. */
export function withoutEnvelope(value: unknown): unknown {
  if (!isObject(value) || !("intent" in value || "_ref" in value)) return value;
  const { intent: _, _ref: __, ...payload } = value;
  return payload;
}
