import { isObject } from "@lading/schema/internal";
import { type Omission, omissionLocation } from "@lading/transform/internal/omission";
import { CliError } from "../exit.ts";

/** Says what was left out, how often and where, behind what was not done with it. */
export const omissionText = (what: string, omission: Omission): string => {
  const { count, examples } = omission;
  const times = count === 1 ? "once" : `${count} times`;
  return `${what}, ${times}: ${omission.what}${omissionLocation(omission)} (${examples.join(", ")}${count > examples.length ? ", …" : ""})`;
};

export interface DumpEnd {
  operations: number;
  omissions: readonly Omission[];
}

/** The start of the last line, which has no operation. */
const lastLine = "]";

/**
 * Passes a dump on without its report, whose content it adds to `end`.
 * @throws CliError when the dump is incomplete
 */
export async function* withoutReport(
  file: AsyncIterable<Uint8Array>,
  end: DumpEnd,
  incomplete = "the service ended the dump before it was complete; its log says why",
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of file) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const whole = text.lastIndexOf("\n", text.length - 2) + 1;
    rest = text.slice(whole);
    if (whole === 0) continue;
    end.operations += linesIn(text.slice(0, whole));
    yield text.slice(0, whole);
  }
  if (!rest.startsWith(lastLine) || !rest.endsWith("}\n")) throw new CliError(incomplete);
  const report = reportIn(rest);
  end.omissions = Array.isArray(report) ? report.filter(isOmission) : [];
  end.operations -= 1;
  yield "]}\n";
}

function reportIn(end: string): unknown {
  try {
    const { report }: { report?: unknown } = JSON.parse(`{"operations":[${end}`);
    return report;
  } catch {
    throw new CliError("its end is not that of a dump: is it from a Lading service?");
  }
}

const isOmission = (value: unknown): value is Omission =>
  isObject(value) &&
  typeof value.what === "string" &&
  typeof value.count === "number" &&
  Array.isArray(value.examples);

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
