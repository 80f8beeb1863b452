/** Reads one value of an address; undefined where the address has none that is allowed. */
type Reader<Value> = (value: unknown) => Value | undefined;

/** A text that is not empty. */
export const text: Reader<string> = (value) =>
  typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;

/** True; what is not is left out. */
export const yes: Reader<boolean> = (value) => (value === true ? true : undefined);

/** A whole number from 0. */
export const wholeNumber: Reader<number> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** One of some words. */
export const oneOf =
  <Word extends string>(words: readonly Word[]): Reader<Word> =>
  (value) =>
    words.find((word) => word === value);

type Search<Readers> = {
  [Name in keyof Readers]?: Readers[Name] extends Reader<infer Value> ? Value : never;
};

/** Makes the `validateSearch` of a route: what is not allowed is left out of the address, never an error. */
export function searchOf<Readers extends Record<string, Reader<unknown>>>(readers: Readers) {
  return (address: Record<string, unknown>): Search<Readers> => {
    // The router adds to what this returns the rest of the address: what is not allowed is undefined, not missing.
    const entries = Object.entries(readers).map(([name, read]) => [name, read(address[name])]);
    // Each value is what its own reader returned.
    return Object.fromEntries(entries) as Search<Readers>;
  };
}
