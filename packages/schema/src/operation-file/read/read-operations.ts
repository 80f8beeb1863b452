import { end, listEnded, push } from "./boundaries.ts";
import { boundaries, type ListPosition } from "./boundary-state.ts";
import { OperationFileError } from "./parse-error.ts";

export interface OperationText {
  /** Its number in the list, from 0. */
  readonly index: number;
  /** Byte offset of its first byte in the file. */
  readonly start: number;
  /** Byte offset just after its last. */
  readonly end: number;
  /** Its JSON, as it is in the file. */
  readonly text: string;
}

/**
 * Cuts a mass operation file into its operations, in order, without validating them: if the file passed
 * `checkOperationFile`, each text is valid JSON. Yields those each chunk of bytes completes, never an empty
 * list. Memory holds one operation and what is yielded; the stream is read no further than the end of the
 * list.
 *
 * @throws OperationFileError if the file ends before its list does, or is not a mass operation file. Its
 * position counts from the start of the stream.
 */
export function readOperations(stream: AsyncIterable<Uint8Array>): AsyncGenerator<OperationText[]>;
/**
 * @internal
 * @param from resumes within the list: just after an operation, with its `end` and its index plus one, or
 * where one begins. The stream then begins at that byte.
 */
export function readOperations(
  stream: AsyncIterable<Uint8Array>,
  from?: ListPosition,
): AsyncGenerator<OperationText[]>;
export async function* readOperations(
  stream: AsyncIterable<Uint8Array>,
  from?: ListPosition,
): AsyncGenerator<OperationText[]> {
  const state = boundaries(from);
  for await (const chunk of stream) {
    const found = push(state, chunk).filter(({ role }) => role === "operation");
    if (found.length > 0) yield found.map(({ index, start, end, text }) => ({ index, start, end, text }));
    if (listEnded(state)) return;
    if (state.error) throw new OperationFileError(state.error);
  }
  end(state);
  if (state.error) throw new OperationFileError(state.error);
}
