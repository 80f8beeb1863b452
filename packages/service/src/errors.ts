import {
  type IdentifiedKind,
  identifiedKinds,
  type JsonPath,
  type Problem,
  problemText,
  titleOf,
} from "@lading/schema/internal";

export type { Problem } from "@lading/schema";
export { causeLength, causeOf } from "@lading/schema/internal";

interface ErrorRow {
  readonly statusCode: number;
  readonly meaning: string;
}

type IdentifierError = `${Capitalize<IdentifiedKind>}${"NotFoundError" | "IdentifierTakenError"}`;

const identifierErrors = Object.fromEntries(
  identifiedKinds.flatMap((kind) => {
    const name = kind.charAt(0).toUpperCase() + kind.slice(1);
    return [
      [`${name}NotFoundError`, { statusCode: 404, meaning: `No ${titleOf(kind)} has this identifier.` }],
      [
        `${name}IdentifierTakenError`,
        { statusCode: 409, meaning: `Another ${titleOf(kind)} has this identifier.` },
      ],
    ];
  }),
) as Readonly<Record<IdentifierError, ErrorRow>>;

/**
 * Every expected failure by name: the status code of its log entry, and its meaning. Log entries, the GraphQL schema's
 * error types and docs/errors.md derive from this list.
 */
export const errorNames = {
  ValidationError: { statusCode: 400, meaning: "The input breaks a rule of its schema or a limit." },
  ComponentContentValidationFailedError: { statusCode: 400, meaning: "Content does not fit its shape." },
  TemplateError: { statusCode: 400, meaning: "A template cannot be rendered." },
  InvalidIdError: {
    statusCode: 400,
    meaning: "The identifier of a new shape or piece has a character that is not allowed.",
  },
  UnauthorizedError: { statusCode: 403, meaning: "The access token may not do this." },
  ItemNotFoundError: { statusCode: 404, meaning: "No item has this id, resource identifier or reference." },
  ProductVariantNotFoundError: {
    statusCode: 404,
    meaning: "No product variant has this SKU or external reference.",
  },
  ...identifierErrors,
  TopicNotFoundError: { statusCode: 404, meaning: "No topic has this id, resource identifier or path." },
  FlowStageNotFoundError: { statusCode: 404, meaning: "No stage of a flow has this identifier." },
  ImageNotFoundError: { statusCode: 404, meaning: "No image is registered under this key or identifier." },
  OrderNotFoundError: { statusCode: 404, meaning: "No order has this id or resource identifier." },
  SubscriptionContractNotFoundError: {
    statusCode: 404,
    meaning: "No subscription contract has this id or resource identifier.",
  },
  SkuNotFoundError: {
    statusCode: 404,
    meaning: "A contract or price list names a SKU that no product variant has.",
  },
  SettingNotFoundError: {
    statusCode: 404,
    meaning:
      "The tenant has no such language, VAT type, price variant, stock location, market, subscription plan " +
      "or order pipeline.",
  },
  SettingTakenError: { statusCode: 409, meaning: "The tenant has this setting already." },
  SettingInUseError: {
    statusCode: 409,
    meaning: "A setting that stored data names, or the last one of a required kind, cannot be deleted.",
  },
  TenantNotFoundError: { statusCode: 404, meaning: "No tenant has this identifier." },
  AccessTokenNotFoundError: { statusCode: 404, meaning: "The tenant has no access token with this id." },
  GroupNotMappedError: { statusCode: 404, meaning: "The group has no role in the tenant." },
  TenantIdentifierTakenError: { statusCode: 409, meaning: "Another tenant has this identifier." },
  BulkTaskNotFoundError: { statusCode: 404, meaning: "No bulk task has this id." },
  WebhookNotFoundError: { statusCode: 404, meaning: "The tenant has no webhook." },
  UploadNotFoundError: {
    statusCode: 404,
    meaning: "Nothing was uploaded under this key, or the file is gone or was replaced.",
  },
  ResourceIdentifierTakenError: { statusCode: 409, meaning: "Another entity has this resource identifier." },
  PathTakenError: { statusCode: 409, meaning: "An item has this path already, as its own or as an alias." },
  TopicPathTakenError: {
    statusCode: 409,
    meaning: "Another topic has this path identifier under the same parent.",
  },
  FlowStageTakenError: { statusCode: 409, meaning: "Another flow has a stage with this identifier." },
  ComponentNotFoundError: { statusCode: 404, meaning: "The shape or piece has no such component." },
  ComponentIdTakenError: {
    statusCode: 409,
    meaning: "Another component next to it has this id.",
  },
  SkuTakenError: { statusCode: 409, meaning: "Another product variant has this SKU." },
  AmbiguousReferenceError: {
    statusCode: 409,
    meaning: "Several items, product variants or customers have this external reference.",
  },
  CannotDeleteDefaultVariantError: { statusCode: 409, meaning: "A product must keep a default variant." },
  ItemHasChildrenError: { statusCode: 409, meaning: "A folder that still has children cannot be deleted." },
  TopicHasChildrenError: { statusCode: 409, meaning: "A topic that still has children cannot be deleted." },
  ShapeInUseError: {
    statusCode: 409,
    meaning: "A shape that items have, or that a flow is restricted to, cannot be deleted.",
  },
  PieceInUseError: { statusCode: 409, meaning: "A piece that shapes or pieces use cannot be deleted." },
  CustomerInUseError: {
    statusCode: 409,
    meaning: "A customer with contracts, or whom customers, groups or price lists name, cannot be deleted.",
  },
  CustomerGroupInUseError: {
    statusCode: 409,
    meaning: "A customer group that customers, groups or price lists name cannot be deleted.",
  },
  FlowInUseError: { statusCode: 409, meaning: "A flow that still has items cannot be deleted." },
  FlowStageInUseError: {
    statusCode: 409,
    meaning: "A stage that still has items cannot be removed from its flow.",
  },
  TooManyCustomerParentsProvidedError: { statusCode: 400, meaning: "A customer has too many parents." },
  ActivateAtMustBeExclusiveError: {
    statusCode: 400,
    meaning: "The status of a subscription contract has `activateAt` and another date.",
  },
  InvalidActiveUntilDateError: {
    statusCode: 400,
    meaning: "The status of a subscription contract has `renewAt`, but no `activeUntil`.",
  },
  SubscriptionContractIsAlreadyPausedError: {
    statusCode: 409,
    meaning: "A subscription contract that is paused cannot be paused.",
  },
  SubscriptionContractIsNotPausedError: {
    statusCode: 409,
    meaning: "A subscription contract that is not paused cannot be resumed.",
  },
  MeteredVariableNotFoundError: {
    statusCode: 404,
    meaning: "The plan of a subscription contract has no metered variable with this identifier.",
  },
  IdempotencyKeyExistsError: {
    statusCode: 409,
    meaning:
      "Usage of a subscription contract was already recorded under this key, or a different bulk task was " +
      "created under it.",
  },
  InsufficientStockError: {
    statusCode: 409,
    meaning: "The stock would fall below the minimum of its stock location.",
  },
  InvalidTaskStateError: { statusCode: 409, meaning: "The bulk task is not in a state that allows this." },
  BulkTaskCannotBeUndoneError: {
    statusCode: 409,
    meaning:
      "The bulk task has changed nothing, or the before-images of it or of an operation are missing or don't fit.",
  },
  ChangedSinceError: {
    statusCode: 409,
    meaning: "Another writer has since changed what would be undone, or what has a condition.",
  },
  PlanCannotBeRunError: {
    statusCode: 409,
    meaning: "The task is not a complete, unpruned plan of this file.",
  },
  ChangedSincePlanError: {
    statusCode: 409,
    meaning: "A row has changed since the plan that the run follows.",
  },
  TooManyWaitingTasksError: {
    statusCode: 429,
    meaning:
      "The tenant already has as many started, unfinished tasks as its limit allows, or a planner as many plans.",
  },
  ConflictError: { statusCode: 409, meaning: "The change conflicts with stored data." },
  ImageFetchError: {
    statusCode: 400,
    meaning: "An image could not be fetched from its URL, or a picture was not given for its path.",
  },
  FailedDependency: { statusCode: 424, meaning: "The operation refers to one that failed." },
  InternalError: {
    statusCode: 500,
    meaning: "An internal error; find its reference id in the service log.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof errorNames;

/** Codes of errors whose name minus `Error` makes a poor code. */
const ownCodes: Partial<Record<ErrorName, string>> = {
  ValidationError: "InvalidValue",
  ComponentContentValidationFailedError: "InvalidContent",
  TemplateError: "TemplateFailed",
  ImageFetchError: "ImageNotFetched",
  FailedDependency: "DependencyFailed",
  InternalError: "Defect",
};

/** Returns the default code of a problem, for errors that set none. */
export const codeOf = (name: ErrorName): string => ownCodes[name] ?? name.replace(/Error$/, "");

/** The `extensions` of an error outside a result: its code and, if the code is a failure's name, that name. */
export const extensionsOf = (code: string): { code: string; errorName?: string } =>
  Object.hasOwn(errorNames, code) ? { code, errorName: code } : { code };

/** An expected failure. Commands throw it; the runner and `executeCommand` catch it and report it by name. */
export class Rejection extends Error {
  override readonly name: ErrorName;
  /** At least one: the message itself, unless more is known. */
  readonly errors: readonly Problem[];

  constructor(
    name: ErrorName,
    message: string,
    errors: readonly Problem[] = [{ code: codeOf(name), message, path: [] }],
  ) {
    super(message);
    this.name = name;
    this.errors = errors;
  }

  get statusCode(): number {
    return errorNames[this.name].statusCode;
  }
}

/** The tenant was deleted during the work. Answered with 404, as if it had never existed. */
export class TenantGone extends Error {
  override name = "TenantGone";
  readonly statusCode = 404;
  readonly code = "TenantNotFound";

  constructor() {
    super("There is no such tenant: it was deleted.");
  }
}

/** A request waited too long for others of its tenant. Answered with 429. */
export class TenantBusy extends Error {
  override name = "TenantBusy";
  readonly statusCode = 429;
  readonly code = "TooManyQueries";

  constructor(connections: number, seconds: number) {
    super(
      `The tenant's other requests used all of its ${connections} database connections for ${seconds} seconds. ` +
        "Send fewer at a time; before you repeat a mutation, check whether it was executed.",
    );
  }
}

/** Ends the operation with an expected failure. @throws Rejection always */
export function reject(name: ErrorName, message: string, path: JsonPath = []): never {
  throw new Rejection(name, message, [{ code: codeOf(name), message, path }]);
}

/** Ends the operation with a list of problems; their messages are joined into its message. */
export function rejectAll(name: ErrorName, errors: readonly Problem[]): never {
  throw new Rejection(name, allOf(errors.map(({ message }) => message)) ?? name, errors);
}

const mostProblems = 20;

/** Joins messages; undefined if there are none. A long list is cut off with a count. */
function allOf(messages: readonly string[]): string | undefined {
  if (messages.length === 0) return undefined;
  const more = messages.length - mostProblems;
  return messages.slice(0, mostProblems).join("; ") + (more > 0 ? ` (and ${more} more)` : "");
}

/** Rejects a payload with all problems its schema found. */
export function invalidPayload(problems: readonly Problem[]): Rejection {
  const message = allOf(problems.map(problemText));
  return new Rejection("ValidationError", message ?? "The payload is not valid.", problems);
}
