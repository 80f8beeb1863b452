import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { count, plain } from "../context.ts";
import { CliError } from "../exit.ts";
import { connect, type Endpoint, request, succeeded } from "./graphql.ts";

interface PresignedUpload {
  url: string;
  fields: { name: string; value: string }[];
  maxSize: number | null;
}

const mutation = `
  mutation RequestUpload($filename: String!) {
    generatePresignedUploadRequest(
      input: { type: MASS_OPERATIONS, filename: $filename, contentType: "application/json" }
    ) {
      ... on PresignedUploadRequest { url fields { name value } maxSize }
      ... on BasicError { error errorName }
    }
  }`;

/**
 * Uploads a file, streamed from disk, and returns the storage key that a bulk task is created with.
 * The form is as the specification has it ("File upload"): every field in the order given, the file last.
 */
export async function upload(endpoint: Endpoint, file: string, signal: AbortSignal): Promise<string> {
  type Answer = { generatePresignedUploadRequest: PresignedUpload };
  const answer = await request<Answer>(endpoint, mutation, { filename: basename(file) });
  const { url, fields, maxSize } = succeeded(answer.generatePresignedUploadRequest);
  const key = fields.find(({ name }) => name === "key")?.value;
  if (key === undefined) throw new CliError("the service answered an upload request without a key");
  const content = await openAsBlob(file, { type: "application/json" });
  if (maxSize !== null && content.size > maxSize) {
    throw new CliError(`${file} has ${count(content.size)} bytes; the tenant's limit is ${count(maxSize)}`);
  }
  const form = new FormData();
  for (const { name, value } of fields) form.append(name, value);
  form.append("file", content, basename(file));
  const response = await connect(url, { method: "POST", body: form, signal });
  const text = await response.text();
  if (!response.ok) throw new CliError(`the upload was refused (${response.status}): ${reason(text)}`);
  return key;
}

/** Upload stores answer in XML, `<Error><Code>…</Code><Message>…</Message></Error>`, or in JSON. */
function reason(text: string): string {
  const message =
    /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? /"message"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  return plain(message ?? text).slice(0, 500) || "no reason given";
}
