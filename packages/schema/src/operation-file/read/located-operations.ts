import { push } from "./boundaries.ts";
import { boundaries } from "./boundary-state.ts";
import { locate } from "./locate.ts";
import { type LineAndColumn, positionOf, type TextPosition } from "./position.ts";
import type { OperationText } from "./read-operations.ts";

export interface LocatedOperation extends OperationText, LineAndColumn {}

/**
 * Reads a file's operations with their positions, in order, as far as they can be read. Memory holds those
 * that one chunk of the stream completes.
 */
export async function* locatedOperations(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<LocatedOperation> {
  const state = boundaries();
  for await (const chunk of stream) {
    for (const found of push(state, chunk)) if (found.role === "operation") yield found;
    if (state.error) return;
  }
}

/**
 * Finds the position in the file of a value of an operation; for a pointer to nothing, of the enclosing
 * value.
 *
 * @param pointer JSON pointer from the operation
 */
export function positionInFile(operation: LocatedOperation, pointer: string): TextPosition {
  return positionOf(operation.text, locate(operation.text, [pointer]).get(pointer) ?? 0, operation);
}
