/** The service cannot be reached, or says that it cannot answer at the moment: the same request may succeed later. */
export class ServiceAway extends Error {
  override name = "ServiceAway";
  /** Milliseconds after which the service takes such a request again, where it has said so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, options: ErrorOptions & { retryAfter?: number } = {}) {
    super(message, options);
    this.retryAfter = options.retryAfter;
  }
}

/** The session does not hold the tenant any longer, or its token was revoked. */
export class SignedOut extends Error {
  override name = "SignedOut";
}

/** A request that the service refused: a named error of a result, an error of a query or a status. */
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

/** The success of a result. Throws `Refused` for an error of the API, which has `errorName` and `message` selected. */
export function success<Result extends object>(
  result: Result | null | undefined,
): Exclude<Result, BasicError | Record<string, never>> {
  if (result === null || result === undefined) throw new Refused("NotFound", "Unknown path");
  if (isError(result)) throw new Refused(result.errorName, result.message);
  return result as Exclude<Result, BasicError | Record<string, never>>;
}

/** The text of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
