import { isObject } from "../is-object.ts";

/** True for a field of the envelope and not of the payload: it is never rendered. */
export const isEnvelopeField = (name: string | number): boolean =>
  name === "intent" ||
  name === "_ref" ||
  name === "_source" ||
  name === "_results" ||
  name === "_ifUnchangedSince";

/** An operation without its envelope. */
export function withoutEnvelope(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (!Object.keys(value).some(isEnvelopeField)) return value;
  const { intent: _, _ref: __, _source: ___, _results: ____, _ifUnchangedSince: _____, ...payload } = value;
  return payload;
}

/** Results by `_ref`, which the operation that has them reads before those of its file. */
export type OwnResults = Readonly<Record<string, object>>;

/** The operation's own result under a name; undefined if it has none. */
export function ownResult(results: unknown, name: string): unknown {
  return isObject(results) && Object.hasOwn(results, name) ? results[name] : undefined;
}
