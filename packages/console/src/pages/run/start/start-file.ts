import { Refused, success } from "../../../api/errors.ts";
import type { VariablesOf } from "../../../api/graphql.ts";
import { request, requestUntilAnswered } from "../../../api/request.ts";
import { bytesText } from "../../../ui/format.ts";
import { createDocument, uploadDocument } from "../documents.ts";
import { sendForm } from "./send-form.ts";

/** The task's options chosen on the page. */
export type StartOptions = Pick<
  VariablesOf<typeof createDocument>["input"],
  "kind" | "strict" | "holdAfter" | "holdOnFailures" | "maxFailures"
>;

export interface Start {
  tenant: string;
  name: string;
  json: Blob;
  options: StartOptions;
  signal: AbortSignal;
  /** Called with the bytes sent so far; with all of them while the task is being created. */
  onBytes(bytes: number): void;
}

/** Uploads a file and creates a task from it that starts automatically. Returns its id. */
export async function startFile({ tenant, name, json, options, signal, onBytes }: Start): Promise<string> {
  const key = await upload(tenant, name, json, { signal, onBytes });
  onBytes(json.size);
  const input = { ...options, key, autoStart: true, idempotencyKey: crypto.randomUUID() };
  const answer = await requestUntilAnswered(tenant, createDocument, { input }, signal);
  return success(answer.createMassOperationBulkTask).id;
}

async function upload(
  tenant: string,
  filename: string,
  json: Blob,
  sending: Pick<Start, "signal" | "onBytes">,
): Promise<string> {
  const answer = await request(tenant, uploadDocument, { filename }, sending.signal);
  const { url, fields, maxSize } = success(answer.generatePresignedUploadRequest);
  if (maxSize !== null && json.size > maxSize)
    throw new Refused(
      "TooLarge",
      `${filename} has ${bytesText(json.size)}; this tenant's limit is ${bytesText(maxSize)}`,
    );
  const form = new FormData();
  for (const field of fields) form.append(field.name, field.value);
  // Stores ignore fields after the file.
  form.append("file", new Blob([json], { type: "application/json" }), filename);
  await sendForm(url, form, sending);
  const key = form.get("key");
  if (typeof key !== "string") throw new Error("The service answered an upload request without a key");
  return key;
}
