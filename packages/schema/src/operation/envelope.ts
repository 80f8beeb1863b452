import { isObject } from "../is-object.ts";

/** True for a field of the envelope and not of the payload: it is never rendered. */
export const isEnvelopeField = (name: string | number): boolean =>
  name === "intent" || name === "_ref" || name === "_source";

/** An operation without its envelope: `intent`, `_ref` and `_source`. */
export function withoutEnvelope(value: unknown): unknown {
  if (!isObject(value) || !("intent" in value || "_ref" in value || "_source" in value)) return value;
  const { intent: _, _ref: __, _source: ___, ...payload } = value;
  return payload;
}
