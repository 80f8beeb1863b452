import { isAway, retryDelay } from "../../../api/connection.ts";
import { Refused, success } from "../../../api/errors.ts";
import type { VariablesOf } from "../../../api/graphql.ts";
import { request } from "../../../api/request.ts";
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
  // Without a response it is unknown whether the task was created; repeating the call never creates a second
  // one.
  for (let tries = 0; ; tries++) {
    try {
      const { createMassOperationBulkTask } = await request(tenant, createDocument, { input }, signal);
      return success(createMassOperationBulkTask).id;
    } catch (error) {
      if (!isAway(error)) throw error;
      await delay(retryDelay(tries, error), signal);
    }
  }
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

/** Waits for `ms` milliseconds. Throws the signal's reason if it is aborted meanwhile. */
const delay = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
