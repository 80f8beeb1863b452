import { type Bytes, textOf } from "#platform";
import { toPointer } from "../../problems/json-pointer.ts";
import { type Boundaries, type Capture, expected, type Phase } from "./boundary-state.ts";
import { invalidUtf8At } from "./encoding.ts";
import { commaProblem, describeCharacter, valueBegins, walkJson } from "./json-walk.ts";
import { depthOf } from "./limits.ts";
import type { ParseErrorCode } from "./parse-error.ts";
import { positionOf, type TextPosition } from "./position.ts";

/** Refuses a byte outside of values. */
export function refuseByte(state: Boundaries, byte: number, character: string): void {
  const found = byte < 0x80 ? describeCharacter(character) : `byte 0x${byte.toString(16).toUpperCase()}`;
  const message = `expected ${expected[state.phase]}, found ${found}`;
  const { phase } = state;
  if ((phase === "operation" && character === "]") || (phase === "key" && character === "}"))
    refuse(state, "InvalidJson", commaProblem.trailing(character), state.comma);
  else if ((phase === "operation" || phase === "key") && character === ",")
    refuse(state, "InvalidJson", commaProblem.repeated);
  else if (
    (phase === "afterOperation" && valueBegins.test(character)) ||
    (phase === "afterValue" && character === '"')
  )
    refuse(state, "InvalidJson", commaProblem.missing(character));
  else if (state.phase === "end") refuse(state, "ContentAfterEnd", message);
  else if (state.phase !== "start") refuse(state, "InvalidJson", message);
  else if (byte === 0xff || byte === 0xfe) {
    refuse(state, "InvalidEncoding", "the file seems to be UTF-16: save it as UTF-8");
  } else refuse(state, /["[\dtfn-]/.test(character) ? "WrongType" : "InvalidJson", message);
}

/** Refuses a byte of a value that is not UTF-8. */
export function refuseEncoding(state: Boundaries, capture: Capture, bytes: Bytes, at: number): void {
  const before = textOf(bytes.subarray(0, at));
  const byte = `0x${bytes[at]!.toString(16).toUpperCase()}`;
  const message = `byte ${byte} at offset ${capture.start + at} of the file is not UTF-8`;
  refuse(state, "InvalidEncoding", message, positionOf(before, before.length, capture));
}

/** Refuses an incomplete value. If the existing part is not valid JSON, that is the error. */
export function refuseCapture(
  state: Boundaries,
  capture: Capture,
  code: ParseErrorCode,
  message: string,
): void {
  const bytes = state.held.take();
  const text = textOf(bytes);
  const invalid = invalidUtf8At(bytes, text);
  // The last bytes may be part of a character.
  if (invalid !== -1 && invalid < bytes.length - 3) refuseEncoding(state, capture, bytes, invalid);
  else {
    const read = invalid === -1 ? text : textOf(bytes.subarray(0, invalid));
    const error = walkJson(read, depthOf[capture.role]);
    const known = error !== undefined && error.code !== "TruncatedFile";
    if (known) refuse(state, error.code, error.message, positionOf(read, error.offset, capture));
    else refuse(state, code, message, positionOf(read, code === "TooLarge" ? 0 : read.length, capture));
  }
}

/** Ends reading with an error at a position, by default at the next byte. */
export function refuse(
  state: Boundaries,
  code: ParseErrorCode,
  message: string,
  position: TextPosition = state,
): void {
  const { phase, index, key } = state;
  const inOperation = state.capture?.role === "operation";
  const pointer = inOperation ? toPointer(["operations", index]) : pointerOf(phase, key);
  const { line, column, offset } = position;
  state.error = { code, message, pointer, operationIndex: inOperation ? index : null, line, column, offset };
}

function pointerOf(phase: Phase, key: string): string {
  if (phase.endsWith("Operation") || phase === "operation") return "/operations";
  return phase === "value" ? toPointer([key]) : "";
}
