import { success } from "../../../api/errors.ts";
import type { VariablesOf } from "../../../api/graphql.ts";
import { request, requestUntilAnswered } from "../../../api/request.ts";
import { createDocument, uploadDocument } from "../documents.ts";
import { sendFile } from "./send-file.ts";

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
  const answer = await request(tenant, uploadDocument, { filename, size: json.size }, sending.signal);
  const { method, url, fields } = success(answer.generatePresignedUploadRequest);
  const key = fields.find(({ name }) => name === "key");
  if (key === undefined) throw new Error("The service answered an upload request without a key");
  const file = new Blob([json], { type: "application/json" });
  await sendFile({ method, url, body: method === "POST" ? formOf(fields, file, filename) : file }, sending);
  return key.value;
}

function formOf(fields: readonly { name: string; value: string }[], file: Blob, filename: string): FormData {
  const form = new FormData();
  for (const { name, value } of fields) form.append(name, value);
  // Stores ignore fields after the file.
  form.append("file", file, filename);
  return form;
}
