import { encoded, textOf } from "#platform";
import { locate } from "../read/locate.ts";
import { skipNested, skipScalar } from "../read/skip-value.ts";

/** The task's operation that an operation of a file repeats. */
export interface OperationSource {
  readonly task: string;
  readonly index: number;
}

/** Writes `_source` as an operation's first field, or replaces an existing one. The rest stays as it is. */
export function withSource(text: string, source: OperationSource): string {
  const value = JSON.stringify(source);
  const written = text.includes('"_source"') ? locate(text, ["/_source"]).get("/_source") : 0;
  // A pointer to nothing leads to the operation itself, at the beginning.
  if (!written) return text.replace("{", () => `{"_source": ${value}, `);
  return text.slice(0, written) + value + text.slice(endOfValue(text, written));
}

function endOfValue(text: string, start: number): number {
  const bytes = encoded(text.slice(start));
  const scan = { depth: 0, deepest: 0, inString: false, escaped: false, lines: 0, keys: 0, values: 0 };
  const isScalar = !'"{['.includes(text[start]!);
  const length = isScalar ? skipScalar(bytes, 0) : skipNested(bytes, 0, scan);
  return start + textOf(bytes.subarray(0, length)).length;
}
