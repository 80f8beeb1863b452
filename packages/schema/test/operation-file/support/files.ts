import { type CheckOptions, checkOperationFile, type FileReport } from "../../../src/index.ts";

/** Bytes as a stream of chunks of a size, or cut at given offsets. Each chunk is overwritten once taken. */
export async function* streamOf(
  content: string | Uint8Array,
  cuts: number | readonly number[] = 65_536,
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  const ends = typeof cuts === "number" ? every(cuts, bytes.length) : [...cuts].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    const chunk = Buffer.from(bytes.subarray(start, end));
    yield chunk;
    chunk.fill("#");
    start = end;
  }
}

function every(size: number, length: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil(length / size) - 1) }, (_, index) => (index + 1) * size);
}

export function fileOf(...operations: string[]): string {
  return `{"version": "1.0.0", "operations": [\n${operations.join(",\n")}\n]}`;
}

export function check(content: string | Uint8Array, options?: CheckOptions): Promise<FileReport> {
  return checkOperationFile(streamOf(content), options);
}

/** The issues of a file as `severity code pointer line:column`. */
export async function issuesOf(content: string | Uint8Array, options?: CheckOptions): Promise<string[]> {
  const { issues } = await check(content, options);
  return issues.map(
    ({ severity, code, pointer, line, column }) => `${severity} ${code} ${pointer} ${line}:${column}`,
  );
}

/** Line and column of the `n`th occurrence of a text, by counting. */
export function positionOf(content: string, needle: string, n = 1): string {
  let offset = -1;
  for (let i = 0; i < n; i++) offset = content.indexOf(needle, offset + 1);
  return positionAt(content, offset);
}

/** Line and column of an offset in UTF-16 units, by counting. */
export function positionAt(content: string, offset: number): string {
  const lines = content.slice(0, offset).split("\n");
  return `${lines.length}:${lines.at(-1)!.length + 1}`;
}
