/** Control characters, and those that change the text direction or end a line: a terminal would obey them. */
export const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Writes an unprintable character as JSON does: `\u001b`. */
export const escapeCharacter = (character: string): string =>
  `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;
