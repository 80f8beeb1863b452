import { escapeCharacter } from "@lading/schema/internal/unprintable";
import { type DestinationStream, type Logger, pino } from "pino";

/** Length limits of an error's message and stack in the log, in characters. */
const longest = { message: 2_000, stack: 8_000 };

/**
 * Error properties that are logged. Others are left out, because they contain rows of tenants (`detail` and `where` of
 * PostgreSQL), and bodies or headers of requests.
 */
const known = ["code", "syscall", "address", "port", "schema", "table", "column", "constraint", "routine"];

/** Opens a service's log: JSON lines on standard output unless another destination is given. */
export function openLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: loggedError }, hooks: { streamWrite: printed } };
  return pino(options, destination ?? standardOutput());
}

/** Characters that JSON need not escape but a terminal would interpret: C1, line ends, and text directions. */
const obeyed = /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Escapes characters a terminal would interpret; in a line of JSON they only occur in texts. */
const printed = (line: string): string => line.replace(obeyed, escapeCharacter);

/** Makes the fields of an error, bounded in size. */
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

/** Cuts the middle out of a long text: the end of a stack locates the code. */
const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length / 2)} … ${text.slice(-length / 2)}`;

/** Characters of log lines buffered while none can be written; further lines are dropped. */
const kept = 1024 ** 2;

/**
 * Opens the standard output for log lines. A service keeps running when they cannot be written: its terminal was
 * closed, or the log's disk is full. They are written later, if that ends.
 */
function standardOutput(): DestinationStream {
  const destination = pino.destination({ sync: false, maxLength: kept });
  const { flushSync } = destination;
  // At the end of the process it would retry until it succeeds.
  destination.on("error", () => {
    destination.flushSync = () => {};
  });
  destination.on("write", () => {
    destination.flushSync = flushSync;
  });
  return destination;
}
