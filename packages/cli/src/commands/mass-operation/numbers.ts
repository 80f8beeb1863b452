import { shortened } from "@lading/schema/internal";
import { InvalidArgumentError } from "commander";

export const upTo = (limit: number) => (text: string) => {
  if (/^-\d+$/.test(text)) throw new InvalidArgumentError("It must be 0 or more.");
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError(`"${text}" is not a whole number.`);
  if (Number(text) <= limit) return Number(text);
  throw new InvalidArgumentError(`"${shortened(text)}" is more than the limit of ${limit}.`);
};

/** Reads a whole number from 0 to the largest of the API. */
export const wholeNumber = upTo(2 ** 31 - 1);

/** Reads a whole number from 1. */
export function fromOne(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError("It must be 1 or more.");
}
