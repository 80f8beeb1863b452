/** A request refused before it reaches a resolver. */
export class HttpFailure extends Error {
  override name = "HttpFailure";
  readonly statusCode: number;
  readonly code: string;

  constructor(statusCode: number, code: string, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}
