import { plain } from "../context.ts";
import { CliError } from "../exit.ts";
import type { JsonFile } from "../files/json-input.ts";
import { graphql } from "./documents.ts";
import { type Endpoint, request, succeeded } from "./graphql.ts";
import { sendFile } from "./send-file.ts";

const mutation = graphql(`
  mutation RequestUpload($input: GeneratePresignedUploadRequestInput!) {
    generatePresignedUploadRequest(input: $input) {
      ... on PresignedUploadRequest { method url fields { name value } }
      ... on BasicError { error errorName }
    }
  }`);

const limitQuery = graphql(`
  query UploadLimit {
    tenant { uploadMaxBytes }
  }`);

export async function uploadLimit(endpoint: Endpoint): Promise<number> {
  return (await request(endpoint, limitQuery, {})).tenant.uploadMaxBytes;
}

/** The type of an upload. */
interface UploadedAs {
  readonly type: "MASS_OPERATIONS" | "MEDIA";
  readonly contentType: string;
  /** Of a picture. */
  readonly sha256?: string;
}

const operationFile: UploadedAs = { type: "MASS_OPERATIONS", contentType: "application/json" };

/** Uploads a file, streamed, and returns its storage key: that of JSON is what a bulk task is created with. */
export async function upload(
  endpoint: Endpoint,
  { size, read }: JsonFile,
  name: string,
  signal: AbortSignal,
  as = operationFile,
): Promise<string> {
  const methods: ("POST" | "PUT")[] = ["POST", "PUT"];
  const answer = await request(endpoint, mutation, { input: { ...as, filename: name, size, methods } });
  const presigned = succeeded(answer.generatePresignedUploadRequest);
  const key = presigned.fields.find(({ name }) => name === "key")?.value;
  if (key === undefined) throw new CliError("the service answered an upload request without a key");
  const file = { filename: name, contentType: as.contentType, size, read };
  const { status, text } = await sendFile(presigned, file, signal);
  if (status < 200 || status > 299) {
    throw new CliError(`the upload of ${name} was refused (${status}): ${reason(text)}`);
  }
  return key;
}

/** Upload stores answer in XML, `<Error><Code>…</Code><Message>…</Message></Error>`, or in JSON. */
function reason(text: string): string {
  const message =
    /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? /"message"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  return plain(message ?? text).slice(0, 500) || "no reason given";
}
