import { GraphQLError } from "graphql";
import { answerLimits } from "./limits.ts";

/** After so many values other requests get a turn. */
const valuesOfTurn = 2_000;

/** Ends the execution where it is thrown, whatever could be null above (`@graphql-tools/executor`). */
const endsAll = { CRITICAL_ERROR: true };

/** Counts what one answer holds while it is made, and ends it beyond `answerLimits`. */
export interface AnswerCounter {
  /** Whether the answer may become so large that it is made in turns, its root fields one after the other. */
  readonly large: boolean;
  /** Why the answer was ended, and at which of the query's own fields. */
  readonly ended: { error: GraphQLError; field: string } | undefined;
  /** Counts, for a root field, values and characters of JSON. Throws beyond the limits, and ever after. */
  add(field: string, values: number, characters: number): void;
  /** Counts characters of rows that were read for a root field, if nothing of them is answered. Throws as `add`. */
  read(field: string, characters: number): void;
  /** The same list, with pauses between its entries where other requests get a turn. */
  inTurns<Entry>(list: readonly Entry[]): readonly Entry[] | AsyncIterable<Entry>;
  /** Does one after the other what is asked for meanwhile, each in a turn of its own. */
  oneByOne<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** Begins anew, for the next answer of a subscription. */
  reset(): void;
}

export function answerCounter(large: boolean): AnswerCounter {
  const count = { values: 0, characters: 0, read: 0 };
  let ended: AnswerCounter["ended"];
  let turn: Promise<void> | undefined;
  let valuesAtTurn = 0;
  let last: Promise<unknown> = Promise.resolve();

  const check = (field: string) => {
    const over = (Object.keys(count) as (keyof typeof count)[]).find(
      (what) => count[what] > answerLimits[what],
    );
    if (over !== undefined) ended ??= { error: tooLarge(over), field };
    if (ended !== undefined) throw ended.error;
  };
  const nextTurn = () => {
    turn ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      turn = undefined;
      valuesAtTurn = count.values;
    });
    return turn;
  };
  async function* paused<Entry>(list: readonly Entry[]): AsyncGenerator<Entry> {
    for (const entry of list) {
      while (count.values - valuesAtTurn > valuesOfTurn) await nextTurn();
      yield entry;
    }
  }
  return {
    large,
    get ended() {
      return ended;
    },
    add(field, values, characters) {
      count.values += values;
      count.characters += characters;
      check(field);
    },
    read(field, characters) {
      count.read += characters;
      check(field);
    },
    inTurns: (list) => (large || count.values + list.length > valuesOfTurn ? paused(list) : list),
    oneByOne(work) {
      // The embedded database answers in the same turn of the event loop.
      const result = last.then(nextTurn).then(work);
      last = result.catch(() => {});
      return result;
    },
    reset() {
      Object.assign(count, { values: 0, characters: 0, read: 0 });
      valuesAtTurn = 0;
      ended = undefined;
    },
  };
}

const words: Readonly<Record<keyof typeof answerLimits, string>> = {
  values: "The answer has more than the limit of",
  characters: "The answer is longer than the limit of",
  read: "The query reads rows of more than the limit of",
};

function tooLarge(what: keyof typeof answerLimits): GraphQLError {
  const unit = what === "values" ? "values" : "characters";
  return new GraphQLError(
    `${words[what]} ${answerLimits[what]} ${unit}. Ask lists for fewer entries with "first", or for fewer fields.`,
    { extensions: { code: "GRAPHQL_TOO_COSTLY", ...endsAll } },
  );
}
