/** A refused upload in S3's terms: an HTTP status, a code for programs and a message for people. */
export class UploadRefused extends Error {
  override readonly name = "UploadRefused";
  readonly statusCode: number;
  readonly code: string;

  constructor(statusCode: number, code: string, message: string) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
  }
}
