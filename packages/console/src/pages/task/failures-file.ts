import { Refused, success } from "../../api/errors.ts";
import type { VariablesOf } from "../../api/graphql.ts";
import { request, send } from "../../api/request.ts";
import { bytesText, numberText } from "../../ui/format.ts";
import { fileNameOf, type Task } from "../task-model/task.ts";
import { numbersDocument } from "./documents.ts";

type Filter = VariablesOf<typeof numbersDocument>["filter"];

/** Maximum failures of a cause that are opened, and bytes of the file of all failures. */
const limits = { operations: 10_000, bytes: 64 * 1024 ** 2 };

/** Operations per request for their numbers. */
const pageSize = 1_000;

/** The operations of a task that failed for one cause, as a mass operation file. */
export async function failuresOfCause(
  tenant: string,
  { id, key }: Pick<Task, "id" | "key">,
  filter: Omit<Filter, "operationId">,
): Promise<File> {
  const numbers = await numbersOf(tenant, { ...filter, operationId: id, unrepaired: true });
  const response = await send(
    `/@${tenant}/tasks/${encodeURIComponent(id)}/failures.json?include=failed,partial`,
    {},
  );
  const text = selectFailures(await textOf(response), numbers);
  return new File([text], `failures of ${fileNameOf(key) ?? id}`, { type: "application/json" });
}

async function numbersOf(tenant: string, filter: Filter): Promise<Set<number>> {
  const numbers = new Set<number>();
  for (let after = ""; ; ) {
    const variables = { filter, first: pageSize, after };
    const { edges, pageInfo } = success((await request(tenant, numbersDocument, variables)).operationLogs);
    for (const { node } of edges) numbers.add(node.index);
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return numbers;
    if (numbers.size >= limits.operations)
      throw new Refused(
        "TooManyToEdit",
        `More than ${numberText(limits.operations)} operations failed for this cause. Use “Download failures”.`,
      );
    after = pageInfo.endCursor;
  }
}

/** The text of a response, up to the limit. */
async function textOf(response: Response): Promise<string> {
  const chunks: BlobPart[] = [];
  let bytes = 0;
  for (const reader = response.body?.getReader(); ; ) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (value === undefined || done) return new Blob(chunks).text();
    bytes += value.length;
    chunks.push(value);
    if (bytes <= limits.bytes) continue;
    await reader?.cancel();
    throw new Refused(
      "TooLargeToEdit",
      `The failures of this task have more than ${bytesText(limits.bytes)}. Use “Download failures”.`,
    );
  }
}

/** The file of failures with the operations of these numbers alone, each as it was written. */
export function selectFailures(file: string, numbers: ReadonlySet<number>): string {
  const begin = file.indexOf("[\n") + 2;
  const end = file.lastIndexOf("\n]}");
  const pieces = end <= begin ? [] : file.slice(begin, end).split(separator);
  return `${file.slice(0, begin)}${whole(pieces)
    .filter((text) => numbers.has(numberIn(text)))
    .join(",\n")}\n]}\n`;
}

/** Between the operations of a file of failures, but not within texts: there, line ends are escaped. */
const separator = /,\n(?=\{)/;

/** Joins the pieces of operations that have the separator within. */
function whole(pieces: readonly string[]): string[] {
  const operations: string[] = [];
  let part = "";
  for (const piece of pieces) {
    part = part === "" ? piece : `${part},\n${piece}`;
    if (Number.isNaN(numberIn(part))) continue;
    operations.push(part);
    part = "";
  }
  return operations;
}

/** The number of an operation of a file of failures; NaN for a part of one. */
function numberIn(text: string): number {
  try {
    return JSON.parse(text)._source.index;
  } catch {
    return Number.NaN;
  }
}
