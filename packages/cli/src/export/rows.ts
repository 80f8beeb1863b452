import { guardedText } from "@lading/schema/internal";

const [quote, lineFeed] = [0x22, 0x0a];

/** Passes a table on, and counts its rows: the lines outside of quotation marks, without the header of CSV. */
export async function* countedRows(
  content: AsyncIterable<Uint8Array>,
  format: "csv" | "ndjson",
  count: { rows: number },
): AsyncGenerator<Uint8Array> {
  let lines = 0;
  let isQuoted = false;
  for await (const chunk of content) {
    for (const byte of chunk)
      if (byte === quote && format === "csv") isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) lines++;
    count.rows = format === "csv" ? Math.max(0, lines - 1) : lines;
    yield chunk;
  }
}

/** The rows of NDJSON as cells, behind one of the names. Texts are guarded as in CSV. */
export async function* rowsOfNdjson(content: AsyncIterable<Uint8Array>): AsyncGenerator<unknown[]> {
  let hasNames = false;
  for await (const text of linesOf(content)) {
    const row: Record<string, unknown> = JSON.parse(text);
    if (!hasNames) yield Object.keys(row);
    hasNames = true;
    yield Object.values(row).map((value) => (typeof value === "string" ? guardedText(value) : value));
  }
}

async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
