import { Refused, success } from "../../api/errors.ts";
import { request, send } from "../../api/request.ts";
import { bytesText } from "../../ui/format.ts";
import { fileNameOf } from "../task-model/task.ts";
import { keyDocument, limitDocument } from "./documents.ts";
import { inWorker } from "./worker/client.ts";
import type { JobContext } from "./worker/jobs.ts";
import { isGzip } from "./worker/unpack.ts";

export interface OpenedFile {
  name: string;
  /** Its JSON, decompressed. */
  json: Blob;
  /** The JSON as text; null if the editor does not take it. */
  text: string | null;
}

export const editorBytes = 5 * 1024 ** 2;

export async function openFile(file: File, tenant: string, context: JobContext): Promise<OpenedFile> {
  if (!(await isGzip(file))) return { name: file.name, json: file, text: await textFor(file) };
  const limits = success((await request(tenant, limitDocument, {}, context.signal)).tenant);
  const json = await inWorker("unpack", { file, maxBytes: limits.uploadMaxBytes }, context);
  return { name: file.name.replace(/\.gz$/i, ""), json, text: await textFor(json) };
}

/** Opens the operations that a table was converted to. */
export const openConverted = async (table: string, json: Blob): Promise<OpenedFile> => ({
  name: `${table.replace(/(?:\.\w+?)(?:\.gz)?$/i, "")}.json`,
  json,
  text: await textFor(json),
});

/** Opens a task's file, if the editor takes it. */
export async function openTaskFile(task: string, tenant: string, signal: AbortSignal): Promise<OpenedFile> {
  const response = await send(`/@${tenant}/tasks/${encodeURIComponent(task)}/file`, { signal });
  const bytes = Number(response.headers.get("content-length"));
  if (bytes > editorBytes) {
    await response.body?.cancel();
    throw new Refused(
      "TooLargeToEdit",
      `The file of this task has ${bytesText(bytes)}, more than the editor’s limit of ${bytesText(editorBytes)}. Drop your own copy of it here.`,
    );
  }
  const { key } = success((await request(tenant, keyDocument, { task }, signal)).bulkTask);
  const json = await response.blob();
  return { name: fileNameOf(key) ?? `task-${task}.json`, json, text: await textFor(json) };
}

const exampleUrl = new URL("../../../../../examples/quickstart.json", import.meta.url).href;

/** Opens the example: a small shop. */
export async function openExample(signal: AbortSignal): Promise<OpenedFile> {
  const json = await (await send(exampleUrl, { signal })).blob();
  return { name: "quickstart.json", json, text: await textFor(json) };
}

const strict = new TextDecoder("utf-8", { fatal: true });

/** JSON as text for the editor: null if it is too long, or not UTF-8, which editing would change. */
async function textFor(json: Blob): Promise<string | null> {
  if (json.size > editorBytes) return null;
  try {
    return strict.decode(await json.arrayBuffer());
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
