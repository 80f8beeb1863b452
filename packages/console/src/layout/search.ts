/** Reads one value of a URL's query; undefined if it is missing or invalid. */
type Reader<Value> = (value: unknown) => Value | undefined;

/** A non-empty text. */
export const text: Reader<string> = (value) =>
  typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;

/** True; anything else is dropped. */
export const yes: Reader<boolean> = (value) => (value === true ? true : undefined);

/** An integer of at least 0. */
export const wholeNumber: Reader<number> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** A day of the calendar: `2026-11-28`. */
export const day: Reader<string> = (value) => {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const date = new Date(`${value}T00:00Z`);
  // Some engines take the 31st of February for the 3rd of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? value : undefined;
};

/** The identifier of a tenant. Commands to copy have it. */
export const tenantIdentifier: Reader<string> = (value) =>
  typeof value === "string" && /^[a-z0-9-]{2,64}$/.test(value) ? value : undefined;

/** One of the given words. */
export const oneOf =
  <Word extends string>(words: readonly Word[]): Reader<Word> =>
  (value) =>
    words.find((word) => word === value);

type Search<Readers> = {
  [Name in keyof Readers]?: Readers[Name] extends Reader<infer Value> ? Value : never;
};

/** Makes the `validateSearch` of a route: invalid values are dropped from the URL and never an error. */
export function searchOf<Readers extends Record<string, Reader<unknown>>>(readers: Readers) {
  return (address: Record<string, unknown>): Search<Readers> => {
    // The router merges the result into the rest of the URL: an invalid value must be undefined, not missing.
    const entries = Object.entries(readers).map(([name, read]) => [name, read(address[name])]);
    // Each value comes from its own reader.
    return Object.fromEntries(entries) as Search<Readers>;
  };
}
