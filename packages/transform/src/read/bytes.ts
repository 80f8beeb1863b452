const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const newLine = 0x0a;

/** The text of UTF-8, with U+FFFD in place of what is not UTF-8. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
