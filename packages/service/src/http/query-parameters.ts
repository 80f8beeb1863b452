import { Rejection } from "../errors.ts";
import { HttpFailure } from "./http-failure.ts";

/** Reads a parameter of the query that has one of some values; null when it is not given. */
export function oneOf<Value extends string>(
  parameter: string,
  values: readonly Value[],
  given: unknown,
): Value | null {
  const value = values.find((known) => known === given);
  if (given === undefined || value !== undefined) return value ?? null;
  throw refused(`${parameter} is "${given}"; it must be one of ${values.join(", ")}.`);
}

/** Reads a parameter of the query that has a text, given once; null when it is not given. */
export function textOf(parameter: string, given: unknown): string | null {
  if (given === undefined) return null;
  if (typeof given !== "string") throw refused(`${parameter} is given more than once.`);
  // The database rejects such a text, even in a comparison.
  if (given.includes("\0")) throw refused(`${parameter} cannot have a NUL character.`);
  return given;
}

/** Reads a parameter of the query that has an integer of up to nine digits; null when it is not given. */
export function integerOf(parameter: string, given: unknown): number | null {
  const text = textOf(parameter, given);
  if (text === null || /^\d{1,9}$/.test(text)) return text === null ? null : Number(text);
  throw refused(`${parameter} is "${text}"; it must be a number, such as 404.`);
}

const refused = (message: string) => new HttpFailure(400, "ValidationError", message);

/** Throws an expected failure as the answer to a request, and any other error as it is. */
export function throwAsFailure(error: unknown): never {
  if (error instanceof Rejection) throw new HttpFailure(error.statusCode, error.name, `${error.message}.`);
  throw error;
}
