/** The service is unreachable or temporarily unable to answer: the same request may succeed later. */
export class ServiceAway extends Error {
  override name = "ServiceAway";
  /** Milliseconds until the service takes such a request again, if it said so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, options: ErrorOptions & { retryAfter?: number } = {}) {
    super(message, options);
    this.retryAfter = options.retryAfter;
  }
}

export class SignedOut extends Error {
  override name = "SignedOut";
}

/** A request the service refused: a named error of a result, an error of a query, or a status. */
export class Refused extends Error {
  /** Such as `BulkTaskNotFoundError`; see docs/errors.md. */
  readonly errorName: string;

  constructor(errorName: string, message: string) {
    super(message);
    this.errorName = errorName;
  }
}

interface BasicError {
  errorName: string;
  message: string;
}

const isError = (value: object): value is BasicError => "errorName" in value && "message" in value;

/**
 * The success of a result. Throws `Refused` for an error of the API, which must have `errorName` and
 * `message` selected.
 */
export function success<Result extends object>(
  result: Result | null | undefined,
): Exclude<Result, BasicError | Record<string, never>> {
  if (result === null || result === undefined) throw new Refused("NotFound", "Not found");
  if (isError(result)) throw new Refused(result.errorName, result.message);
  return result as Exclude<Result, BasicError | Record<string, never>>;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
