import { GraphQLError } from "graphql";
import { nextTurn } from "../../system/turns.ts";
import { type AnswerLimits, answerLimits } from "../validation/query-limits.ts";

/** Values of an answer after which the event loop yields to other requests. */
const valuesPerYield = 2_000;

/** Longest list that is resolved without pauses. */
const longList = 10;

/** Ends the execution, even if a parent field could be null (`@graphql-tools/executor`). */
const endsAll = { CRITICAL_ERROR: true };

/** Counts the size of one answer while it is built, and ends it beyond its limits. */
export interface AnswerCounter {
  /** True when the answer may become so large that it is built with yields, its root fields one after the other. */
  readonly large: boolean;
  /** Why the answer was ended, and the root field it had reached. */
  readonly ended: { error: GraphQLError; field: string } | undefined;
  /** Counts values and characters of JSON for a root field. Returns false once the limits are exceeded. */
  add(field: string, values: number, characters: number): boolean;
  /** Counts characters of rows read for a root field, whether answered or not. */
  read(field: string, characters: number): void;
  /** The same list; entries of a long one resolve one by one, yielding to other requests in between. */
  yielding<Entry>(list: readonly Entry[]): readonly (Entry | Promise<Entry>)[];
  /** Runs work serially, yielding before each. */
  oneByOne<Result>(work: () => Result | Promise<Result>): Promise<Result>;
  /** Resets the counts, for the next answer of a subscription. */
  reset(): void;
}

export function answerCounter(large: boolean, limits: AnswerLimits = answerLimits): AnswerCounter {
  const count = { values: 0, characters: 0, read: 0 };
  let ended: AnswerCounter["ended"];
  const pacing = paced(count, () => ended?.error);

  const check = (field: string) => {
    const over = countedUnits.find((unit) => count[unit] > limits[unit]);
    if (over !== undefined) ended ??= { error: tooLarge(over, limits[over]), field };
    return ended === undefined;
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
    yielding: pacing.yielding,
    oneByOne: pacing.oneByOne,
    reset() {
      Object.assign(count, { values: 0, characters: 0, read: 0 });
      pacing.reset();
      ended = undefined;
    },
  };
}

/** Yields to other requests after every `valuesPerYield` values; `endedBy` is the error once the answer was ended. */
function paced(count: { readonly values: number }, endedBy: () => GraphQLError | undefined) {
  let yielded: Promise<void> | undefined;
  let valuesAtYield = 0;
  let last: Promise<unknown> = Promise.resolve();

  const yieldToOthers = () => {
    yielded ??= nextTurn().then(() => {
      yielded = undefined;
      valuesAtYield = count.values;
    });
    return yielded;
  };
  // All promises are created up front: a rejection before anything awaits it would end the process.
  const paused = <Entry>(list: readonly Entry[]): Promise<Entry>[] => {
    const promised = list.map((entry) => ({ entry, ...Promise.withResolvers<Entry>() }));
    const release = async () => {
      for (const { entry, promise, resolve, reject } of promised) {
        while (count.values - valuesAtYield > valuesPerYield) await yieldToOthers();
        const error = endedBy();
        if (error === undefined) resolve(entry);
        else reject(error);
        // Meanwhile the answer is built from it, and counted. After a rejection nothing awaits the others.
        await promise;
      }
    };
    void Promise.resolve()
      .then(release)
      .catch(() => {});
    return promised.map(({ promise }) => promise);
  };
  return {
    yielding: <Entry>(list: readonly Entry[]) =>
      list.length > longList || count.values > valuesPerYield ? paused(list) : list,
    oneByOne<Result>(work: () => Result | Promise<Result>): Promise<Result> {
      // The embedded database answers without yielding to the event loop.
      const result = last.then(yieldToOthers).then(work);
      last = result.catch(() => {});
      return result;
    },
    reset() {
      valuesAtYield = 0;
    },
  };
}

const countedUnits = ["values", "characters", "read"] as const;

const words: Readonly<Record<keyof AnswerLimits, string>> = {
  values: "The answer has more than the limit of",
  characters: "The answer is longer than the limit of",
  read: "The query reads rows of more than the limit of",
};

function tooLarge(what: keyof AnswerLimits, limit: number): GraphQLError {
  const unit = what === "values" ? "values" : "characters";
  return new GraphQLError(
    `${words[what]} ${limit} ${unit}. Ask lists for fewer entries with "first", or for fewer fields.`,
    { extensions: { code: "GRAPHQL_TOO_COSTLY", ...endsAll } },
  );
}
