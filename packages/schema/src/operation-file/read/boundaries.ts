import { type Bytes, bytesOf, textOf } from "#platform";
import { type Boundaries, type Capture, expected, type FoundValue, type Phase } from "./boundary-state.ts";
import { invalidUtf8At } from "./encoding.ts";
import { walkJson } from "./json-walk.ts";
import { depthOf, fileLimits } from "./limits.ts";
import { positionOf } from "./position.ts";
import { refuse, refuseByte, refuseCapture, refuseEncoding } from "./refuse.ts";
import { skipNested, skipScalar } from "./skip-value.ts";

/** Returns the values the next bytes of the file complete, in order, up to an error if there is one. */
export function push(state: Boundaries, chunk: Uint8Array): FoundValue[] {
  const bytes = bytesOf(chunk);
  state.found = [];
  for (let at = 0; at < bytes.length && state.error === undefined; ) {
    state.offset = state.base + at;
    if (state.capture !== undefined) at = readOn(state, state.capture, bytes, at);
    else if (step(state, bytes[at]!, state.offset)) at++;
  }
  state.base += bytes.length;
  return state.found;
}

/** Ends reading after the last bytes: an incomplete file is an error. */
export function end(state: Boundaries): void {
  if (state.error !== undefined || state.phase === "end") return;
  state.offset = state.base;
  if (state.capture !== undefined) {
    refuseCapture(state, state.capture, "TruncatedFile", "the file ends within this value");
  } else if (state.phase === "start") refuse(state, "EmptyFile", "the file is empty");
  else refuse(state, "TruncatedFile", `the file ends where ${expected[state.phase]} is expected`);
}

export function listEnded({ begun, phase }: Boundaries): boolean {
  return begun && !phase.toLowerCase().endsWith("operation");
}

const next: { readonly [P in Phase]?: Readonly<Record<string, Phase>> } = {
  start: { "{": "firstKey" },
  firstKey: { "}": "end" },
  colon: { ":": "value" },
  afterValue: { ",": "key", "}": "end" },
  firstOperation: { "]": "afterValue" },
  afterOperation: { ",": "operation", "]": "afterValue" },
};

/** Takes one byte outside of a value. Returns false, without taking it, if a value begins with it. */
function step(state: Boundaries, byte: number, offset: number): boolean {
  const character = String.fromCharCode(byte);
  const phase = state.marked % 3 === 0 ? next[state.phase]?.[character] : undefined;
  if (byte === 0x0a) {
    state.line++;
    state.column = 0;
  } else if (phase !== undefined) {
    const position = { line: state.line, column: state.column, offset };
    if (state.phase === "start") state.opened = position;
    if (character === ",") state.comma = position;
    state.phase = phase;
  } else if (beginsList(state, character)) state.phase = "firstOperation";
  else if (beginsValue(state.phase, character)) {
    state.capture = begin(state, byte, offset);
    return false;
  } else if (isByteOrderMark(state, byte, offset)) return true;
  else if (!" \r\t".includes(character)) refuseByte(state, byte, character);
  state.column++;
  return true;
}

/** A file may begin with a byte order mark. It has no column. */
function isByteOrderMark(state: Boundaries, byte: number, offset: number): boolean {
  if (state.marked !== offset || byte !== [0xef, 0xbb, 0xbf][offset]) return false;
  state.marked++;
  return true;
}

function beginsList(state: Boundaries, character: string): boolean {
  if (state.phase !== "value" || state.key !== "operations" || character !== "[") return false;
  if (state.begun) refuse(state, "DuplicateKey", 'the file has a second "operations"');
  state.begun = true;
  return true;
}

const valuePhases: ReadonlySet<Phase> = new Set(["value", "operation", "firstOperation"]);

function beginsValue(phase: Phase, character: string): boolean {
  if (phase === "firstKey" || phase === "key") return character === '"';
  return valuePhases.has(phase) && character > " " && !",:]}".includes(character);
}

function begin({ phase, line, column }: Boundaries, byte: number, start: number): Capture {
  const role = phase === "value" ? "member" : valuePhases.has(phase) ? "operation" : "key";
  const scan = { depth: 0, deepest: 0, inString: false, escaped: false, lines: 0, keys: 0, values: 0 };
  return { role, start, line, column, scalar: !'"{['.includes(String.fromCharCode(byte)), scan };
}

/** Continues with the current value. Returns the index of the first byte after it. */
function readOn(state: Boundaries, capture: Capture, bytes: Bytes, at: number): number {
  const found = capture.scalar ? skipScalar(bytes, at) : skipNested(bytes, at, capture.scan);
  const stop = found === -1 ? bytes.length : found;
  const whole = state.base + at === capture.start && found !== -1;
  if (!whole) state.held.append(bytes.subarray(at, stop));
  if (state.base + stop - capture.start > fileLimits.valueBytes) {
    const message = `this value is larger than ${fileLimits.valueBytes / 1024 / 1024} MiB`;
    refuseCapture(state, capture, "TooLarge", message);
  } else if (capture.scan.values > fileLimits.values) {
    const message = `this value contains more than ${fileLimits.values} values; spread them over several operations`;
    refuseCapture(state, capture, "TooLarge", message);
  } else if (whole) finish(state, capture, bytes.subarray(at, stop));
  else if (found !== -1) finish(state, capture, state.held.take());
  return stop;
}

function finish(state: Boundaries, capture: Capture, bytes: Bytes): void {
  const text = textOf(bytes);
  const invalid = invalidUtf8At(bytes, text);
  if (invalid === -1) accept(state, capture, text, bytes.length);
  else refuseEncoding(state, capture, bytes, invalid);
}

function accept(
  state: Boundaries,
  { role, start, line, column, scan }: Capture,
  text: string,
  length: number,
) {
  state.capture = undefined;
  if (role === "key") readKey(state, text, start);
  else {
    const { key, index } = state;
    const { deepest, keys } = scan;
    const end = start + length;
    state.found.push({ role, key, index, start, end, text, line, column, deepest, keys });
    state.phase = role === "operation" ? "afterOperation" : "afterValue";
    if (role === "operation") state.index++;
  }
  state.line += scan.lines;
  state.column = scan.lines === 0 ? state.column + text.length : text.length - text.lastIndexOf("\n");
}

function readKey(state: Boundaries, text: string, start: number): void {
  state.phase = "colon";
  const error = walkJson(text, depthOf.key);
  if (error === undefined) state.key = JSON.parse(text);
  else refuse(state, "InvalidJson", error.message, positionOf(text, error.offset, { ...state, start }));
}
