import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A line of the search: a link, or an action. */
export type Entry = {
  key: string;
  name: string;
  /** The language of a name that the tenant stores. */
  language?: string | undefined;
  /** Facts that tell it from others, such as its id. */
  details?: readonly ReactNode[];
  /** True for a link to all of its kind, which is not counted as a result. */
  isMore?: boolean;
} & ({ link: LinkProps } | { action: () => void; staysOpen?: boolean });

export interface Group {
  title: string;
  items: Entry[];
  /** True for what was found for an earlier text. */
  isOld?: boolean;
  /** True if it says why it could not be searched. */
  isFailure?: boolean;
}

/** The entries whose names have a word that begins with each word of a text. */
export function entriesWith(text: string, entries: readonly Entry[]): Entry[] {
  const wanted = wordsOf(text);
  return entries.filter(({ name }) => {
    const words = wordsOf(name);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);
