import { shortened } from "@lading/schema";
import { InvalidArgumentError } from "commander";

/** The largest whole number of the API. */
const largest = 2 ** 31 - 1;

/** Reads a whole number from 0. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError(`"${text}" is not a whole number.`);
  if (Number(text) <= largest) return Number(text);
  throw new InvalidArgumentError(`"${shortened(text)}" is more than the limit of ${largest}.`);
}

/** Reads a whole number from 1. */
export function fromOne(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError("It must be 1 or more.");
}
