/** Failed and partial operations of a task. */
export interface Failures {
  entries: readonly { index: number; intent: string; message: string | null }[];
  /** The number of the operation up to which they are known. */
  end: number;
}

/** An operation with another outcome in another run of the file: its messages, undefined where it did not fail. */
export interface Difference {
  index: number;
  intent: string;
  here: string | undefined;
  there: string | undefined;
}

/**
 * The operations that failed in one of two runs of a file only, or with another message. Where not all failures are
 * known, only up to the last operation that is known of both.
 */
export function differencesOf(here: Failures, there: Failures): Difference[] {
  const end = Math.min(here.end, there.end);
  const messagesHere = messagesOf(here);
  const messagesThere = messagesOf(there);
  const intents = new Map([...here.entries, ...there.entries].map(({ index, intent }) => [index, intent]));
  return [...intents]
    .map(([index, intent]) => ({
      ...{ index, intent },
      ...{ here: messagesHere.get(index), there: messagesThere.get(index) },
    }))
    .filter(({ index, here, there }) => here !== there && index <= end)
    .sort((a, b) => a.index - b.index);
}

const messagesOf = ({ entries }: Failures) =>
  new Map(entries.map(({ index, message }) => [index, message ?? ""]));
