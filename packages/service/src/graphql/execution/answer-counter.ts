import { GraphQLError } from "graphql";
import { answerLimits } from "../validation/query-limits.ts";

/** After so many values other requests get a turn. */
const valuesOfTurn = 2_000;

/** A longer list is handed on in turns. */
const longList = 10;

/** Ends the execution, whatever could be null above (`@graphql-tools/executor`). */
const endsAll = { CRITICAL_ERROR: true };

/** Counts what one answer holds while it is made, and ends it beyond `answerLimits`. */
export interface AnswerCounter {
  /** Whether the answer may become so large that it is made in turns, its root fields one after the other. */
  readonly large: boolean;
  /** Why the answer was ended, and at which of the query's own fields. */
  readonly ended: { error: GraphQLError; field: string } | undefined;
  /** Counts, for a root field, values and characters of JSON. False beyond the limits, and ever after. */
  add(field: string, values: number, characters: number): boolean;
  /** Counts characters of rows that were read for a root field, answered or not. */
  read(field: string, characters: number): void;
  /** The same list; the entries of a long one come one by one, with pauses in which other requests get a turn. */
  inTurns<Entry>(list: readonly Entry[]): readonly (Entry | Promise<Entry>)[];
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
    return ended === undefined;
  };
  const nextTurn = () => {
    turn ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      turn = undefined;
      valuesAtTurn = count.values;
    });
    return turn;
  };
  // All are promised at once: a rejection that comes before somebody waits for it would end the process.
  const paused = <Entry>(list: readonly Entry[]): Promise<Entry>[] => {
    const promised = list.map((entry) => ({ entry, ...Promise.withResolvers<Entry>() }));
    const release = async () => {
      for (const { entry, promise, resolve, reject } of promised) {
        while (count.values - valuesAtTurn > valuesOfTurn) await nextTurn();
        if (ended === undefined) resolve(entry);
        else reject(ended.error);
        // Meanwhile the answer is made of it, and counted. After a rejection nobody waits for the others.
        await promise;
      }
    };
    void Promise.resolve()
      .then(release)
      .catch(() => {});
    return promised.map(({ promise }) => promise);
  };
  return {
    large,
    get ended() {
      return ended;
    },
    add(field, values, characters) {
      count.values += values;
      count.characters += characters;
      return check(field);
    },
    read(field, characters) {
      count.read += characters;
      check(field);
    },
    inTurns: (list) => (list.length > longList || count.values > valuesOfTurn ? paused(list) : list),
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
