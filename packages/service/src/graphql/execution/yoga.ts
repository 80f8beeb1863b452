import { shortened } from "@lading/schema/internal";
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  validate,
} from "graphql";
import { createYoga, type Plugin, type YogaServerInstance } from "graphql-yoga";
import type { Logger } from "pino";
import { subscriptionStream } from "../../responses/event-stream.ts";
import { outageCodes } from "../../responses/failures.ts";
import type { FairQueue } from "../../system/fair-queue.ts";
import { lenientRules } from "../validation/lenient-rules.ts";
import { type Estimate, estimate } from "../validation/query-cost.ts";
import {
  errorsAbout,
  eventLimits,
  largeQuery,
  longestErrorMessage,
  parseWithinLimits,
  refuseDeepVariables,
} from "../validation/query-limits.ts";
import { ResultUnionRule } from "../validation/result-union-rule.ts";
import { type AnswerCounter, answerCounter } from "./answer-counter.ts";
import { countAnswer, countedSchema } from "./counted-schema.ts";
import { documentCache } from "./document-cache.ts";
import { largeQueries, waitingQueries } from "./large-queries.ts";
import { maskError } from "./masking.ts";

const rules = [...lenientRules, ResultUnionRule];

/**
 * GraphQL over HTTP. 200 with `{data}` or, if a part failed unexpectedly, `{data, errors}`. With `{message, errors}`:
 * 400 for a request refused before execution, 404 when the tenant was deleted meanwhile, 429 when too many large
 * queries wait, 500 for a defect, 503 for an outage. A success never has `errors`: existing clients crash on an empty
 * list.
 */
export function yogaFor<Context extends object>(
  schema: GraphQLSchema,
  logger: Logger,
): YogaServerInstance<Context, object> {
  const yoga = createYoga<Context & Record<string, unknown>>({
    schema: countedSchema(schema),
    graphqlEndpoint: "/*",
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    logging: false,
    maskedErrors: { maskError: (error) => maskError(error, logger) },
    parserAndValidationCache: { documentCache: documentCache(), errorCache: documentCache() },
    plugins: [strictEngine, boundedAnswers(largeQueries()), jsonAnswers],
  });
  // Yoga wants a context with an index signature, which an interface does not have.
  return yoga as unknown as YogaServerInstance<Context, object>;
}

/** The content type of every subscription, whatever `Accept` says. */
const eventStreamType = "text/event-stream; charset=utf-8";

const strictEngine: Plugin = {
  onParams: ({ params }) => refuseDeepVariables(params.variables),
  onParse: ({ setParseFn }) => setParseFn(parseWithinLimits),
  onValidate: ({ setValidationFn }) =>
    setValidationFn((schema: GraphQLSchema, document: DocumentNode) =>
      validate(schema, document, rules, { maxErrors: errorsAbout(document.loc?.end ?? 0) }),
    ),
};

/** Refuses queries whose estimated answer is too large, and ends answers that become too large. */
const boundedAnswers = (queue: FairQueue): Plugin<{ tenant?: { id: string } }> => ({
  onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
    const estimated = estimateOf(args);
    if ("refusal" in estimated) return setResultAndStopExecution({ errors: estimated.refusal });
    const counter = answerCounter(isLarge(estimated));
    countAnswer(args.contextValue, counter);
    if (counter.large) {
      const { tenant } = args.contextValue;
      const id = tenant?.id ?? "";
      if (queue.isFull(id)) return setResultAndStopExecution({ errors: [tooMany()] });
      setExecuteFn((given) => queue.run(id, () => executeFn(given)));
    }
    return {
      onExecuteDone({ setResult }) {
        if (counter.ended) setResult({ errors: [endOf(counter.ended, args)] });
      },
    };
  },
  onSubscribe({ args, setResultAndStopExecution }) {
    const estimated = estimateOf(args);
    if ("refusal" in estimated) return setResultAndStopExecution({ errors: estimated.refusal });
    const counter = answerCounter(false, eventLimits);
    countAnswer(args.contextValue, counter);
    return {
      onSubscribeResult: () => ({
        onNext({ setResult }) {
          if (counter.ended) setResult({ errors: [endOf(counter.ended, args)] });
          counter.reset();
        },
      }),
    };
  },
});

const isLarge = ({ values, lists, lookups, reads }: Exclude<Estimate, { refusal: unknown }>) =>
  values > largeQuery.values || lists > largeQuery.lists || lookups > largeQuery.lookups || reads > 0;

const tooMany = () =>
  new GraphQLError(
    `${waitingQueries} large queries of the tenant are queued, which is the limit. ` +
      "Wait for their answers first.",
    { extensions: { code: "TooManyQueries" } },
  );

const estimateOf = ({ schema, document, operationName, variableValues }: ExecutionArgs) =>
  estimate(schema, document, operationName, variableValues ?? {});

/** The error of an answer that was cut short; for mutations it says which were executed. */
function endOf({ error, field }: NonNullable<AnswerCounter["ended"]>, args: ExecutionArgs): GraphQLError {
  const { operation } = getOperationAST(args.document, args.operationName) ?? {};
  const done =
    operation === OperationTypeNode.MUTATION
      ? ` The mutations up to "${field}" were executed, and nothing after it.`
      : "";
  return new GraphQLError(error.message + done, { extensions: { code: error.extensions.code } });
}

interface Answer {
  data?: unknown;
  errors?: readonly GraphQLError[];
}

/** One content type whatever the request accepts, so that a refusal is never empty. */
const jsonAnswers: Plugin = {
  onResultProcess({ setResultProcessor }) {
    setResultProcessor((result, { Response }) => {
      if (Symbol.asyncIterator in result) {
        const body = subscriptionStream(result, (each) => answer(each).body);
        return new Response(body, { headers: { "content-type": eventStreamType } });
      }
      // A list only if batching is enabled; it isn't.
      const { status, body } = answer(result as Answer);
      return new Response(JSON.stringify(body), {
        status,
        headers: { "content-type": "application/json; charset=utf-8" },
      });
    }, "application/json");
  },
};

function answer({ data, errors }: Answer): { status: number; body: object } {
  if (!errors?.length) return { status: 200, body: { data } };
  const bodies = errors.map(errorBody);
  const has = (code: string) => errors.some(({ extensions }) => extensions?.code === code);
  // Without data: it would be incomplete.
  const outage = errors.find(({ extensions }) => outageCodes.includes(String(extensions?.code)));
  if (outage) return { status: 503, body: { message: outage.message, errors: bodies } };
  if (has("TenantNotFound")) return { status: 404, body: { message: bodies[0]?.message, errors: bodies } };
  if (has("TooManyQueries")) return { status: 429, body: { message: bodies[0]?.message, errors: bodies } };
  if (data !== undefined) return { status: 200, body: { data, errors: bodies } };
  return { status: has("InternalError") ? 500 : 400, body: { message: bodies[0]?.message, errors: bodies } };
}

/**
 * An error as the answer has it: the message doesn't print a whole input, and `extensions.http`, where Yoga keeps its
 * suggested status, is removed.
 */
function errorBody(error: GraphQLError) {
  const { message, extensions: { http: _, ...extensions } = {}, ...rest } = error.toJSON();
  const body = { message: shortened(message, longestErrorMessage), ...rest };
  return Object.keys(extensions).length > 0 ? { ...body, extensions } : body;
}
