import { escapeCharacter } from "@lading/schema/unprintable";
import { type DestinationStream, type Logger, pino } from "pino";

/** The longest message and the longest stack of an error in the log, in characters. */
const longest = { message: 2_000, stack: 8_000 };

/**
 * Properties of errors that the log has. Others are left out, because they have rows of tenants (`detail` and `where`
 * of PostgreSQL), and bodies or headers of requests.
 */
const known = ["code", "syscall", "address", "port", "schema", "table", "column", "constraint", "routine"];

/** Makes the log of a service: JSON, one line each, on standard output unless another destination is given. */
export function openLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: loggedError }, hooks: { streamWrite: printed } };
  return pino(options, destination ?? standardOutput());
}

/** Characters that JSON need not escape, and a terminal would obey: C1, ends of lines, and directions of text. */
const obeyed = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Escapes what a terminal would obey in a line of JSON, where it stands in texts only. */
const printed = (line: string): string => line.replace(obeyed, escapeCharacter);

/** Makes the fields of an error, which are bounded whatever it holds. */
function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return cut(String(error), longest.message);
  const { type, message, stack, aggregateErrors, ...others } = pino.stdSerializers.err(error);
  const properties = Object.entries(others).filter(([name]) => known.includes(name));
  return {
    type,
    message: cut(message, longest.message),
    ...Object.fromEntries(properties.map(([name, value]) => [name, cut(String(value), longest.message)])),
    stack: cut(stack, longest.stack),
  };
}

/** Leaves out the middle of a long text: the end of a stack names the places in the code. */
const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length / 2)} … ${text.slice(-length / 2)}`;

/** Characters of log lines that are kept while none can be written; further lines are dropped. */
const kept = 1024 ** 2;

/**
 * Opens the standard output for log lines. A service goes on when they cannot be written: its terminal was closed, or
 * the disk of the log is full. They are written later, if that ends.
 */
function standardOutput(): DestinationStream {
  const destination = pino.destination({ sync: false, maxLength: kept });
  const { flushSync } = destination;
  // At the end of the process it would try again until it succeeds.
  destination.on("error", () => {
    destination.flushSync = () => {};
  });
  destination.on("write", () => {
    destination.flushSync = flushSync;
  });
  return destination;
}
