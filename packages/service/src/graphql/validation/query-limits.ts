import { type DocumentNode, GraphQLError, parse, type Source, TokenKind, visit } from "graphql";

/** The longest query, in tokens: punctuation, names and values count one each. */
export const maximumTokens = 20_000;

/** Maximum number of number signs in a query: the parser doesn't count comments as tokens, but keeps each. */
export const maximumNumberSigns = 20_000;

/** Maximum nesting of brackets in a query, and of lists and objects in its variables. */
export const maximumDepth = 64;

/** Maximum number of aliased fields in a query. */
export const maximumAliases = 1_000;

/** Maximum number of errors reported about one query or its variables. */
export const maximumErrors = 20;

/** Longest error message in an answer's `errors`. */
export const longestErrorMessage = 1_000;

/** Limit of characters that all errors about one input print: each may print all of it. */
const printedInput = 100_000;

/** The number of errors to report about an input of this length: at least one. */
export const errorsAbout = (characters: number): number =>
  Math.min(maximumErrors, Math.max(1, Math.floor(printedInput / characters)));

/**
 * The size of the largest answer. A query with a larger estimate is not executed; the rest is counted while the answer
 * is built.
 */
export const answerLimits = {
  /** Fields, under each of their aliases, and entries of lists. */
  values: 200_000,
  /** Characters of its JSON. */
  characters: 16 * 1024 ** 2,
  /** Characters of the rows read for its lists, whether selected or not. */
  read: 32 * 1024 ** 2,
} as const;

export type AnswerLimits = Readonly<Record<keyof typeof answerLimits, number>>;

/**
 * The size of the largest answer of a subscription, of which each change makes another: no queue bounds how many are
 * made together.
 */
export const eventLimits: AnswerLimits = {
  values: 10_000,
  characters: 1024 ** 2,
  read: answerLimits.read,
};

/**
 * A query beyond one of these estimates (values, paged lists, fields under aliases), or with a field that `readsMuch`,
 * is queued.
 */
export const largeQuery = { values: 10_000, lists: 20, lookups: 50 } as const;

/** Maximum number of expensive fields in a query. */
export const maximumLargeReads = 20;

/**
 * The extensions of a field that reads much more than it answers, such as all failures of a task, or large texts; with
 * a condition, only for arguments that meet it.
 */
export const readsMuch = (condition: (given: Readonly<Record<string, unknown>>) => boolean = () => true) => ({
  readsMuch: condition,
});

/** Maximum number of items and variants one request reads through relations, which can be circular. */
export const maximumRelated = 50_000;

/** Maximum number of tasks whose failures one request groups: each reads all of them. */
export const maximumFailureGroups = 20;

/** Maximum number of sample messages of groups in one request: each is in a block of its own. */
export const maximumMessages = 1_000;

/** Maximum number of entities whose last change one request looks for, each in the log of a task. */
export const maximumLastChanges = 10;

/** Maximum number of operations one request reads by index: each is in a block of its own, and in a file. */
export const maximumOperations = 100;

/**
 * Parses a query; refuses one longer than `maximumTokens`, deeper than `maximumDepth` or with more than
 * `maximumAliases`.
 */
export function parseWithinLimits(source: string | Source): DocumentNode {
  refuseManyComments(typeof source === "string" ? source : source.body);
  try {
    const document = parse(source, { maxTokens: maximumTokens });
    refuseManyAliases(document);
    if (depthOfQuery(document) <= maximumDepth) return document;
  } catch (error) {
    // The parser is recursive: what overflows its stack is too deep.
    if (!(error instanceof RangeError)) throw error;
  }
  throw tooDeep("The query");
}

/** Refuses variables nested deeper than `maximumDepth`: later walks over them are recursive. */
export function refuseDeepVariables(variables: unknown): void {
  if (isDeeper(variables, maximumDepth)) throw tooDeep("The value of a variable");
}

function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}

function refuseManyAliases(document: DocumentNode): void {
  let aliases = 0;
  visit(document, {
    Field({ alias }) {
      if (alias) aliases++;
    },
  });
  if (aliases > maximumAliases)
    throw new GraphQLError(`The query has ${aliases} aliases; the limit is ${maximumAliases}.`, {
      extensions: { code: "GRAPHQL_TOO_MANY_ALIASES" },
    });
}

function refuseManyComments(source: string): void {
  let signs = 0;
  for (let at = source.indexOf("#"); at !== -1; at = source.indexOf("#", at + 1)) signs++;
  if (signs > maximumNumberSigns)
    throw new GraphQLError(
      `The query has ${signs} number signs (#); the limit is ${maximumNumberSigns}. Send texts as variables.`,
      { extensions: { code: "GRAPHQL_TOO_MANY_COMMENTS" } },
    );
}

const tooDeep = (what: string) =>
  new GraphQLError(`${what} is nested deeper than ${maximumDepth} levels.`, {
    extensions: { code: "GRAPHQL_NESTED_TOO_DEEPLY" },
  });

const opening: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const closing: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

function depthOfQuery(document: DocumentNode): number {
  let [depth, deepest] = [0, 0];
  for (let token = document.loc?.startToken ?? null; token !== null; token = token.next) {
    if (opening.includes(token.kind)) deepest = Math.max(deepest, ++depth);
    else if (closing.includes(token.kind)) depth--;
  }
  return deepest;
}
