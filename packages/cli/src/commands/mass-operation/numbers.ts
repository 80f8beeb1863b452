import { InvalidArgumentError } from "commander";

/** Reads a whole number from 0. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a whole number.`);
}

/** Reads a whole number from 1. */
export function fromOne(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError("It must be 1 or more.");
}
