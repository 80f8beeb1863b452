const longest = 100;
const most = 20;

/** A text of a payload, or its beginning if it is too long for a message. */
export const shortened = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest)}…`;

/** A text of a payload within a message. */
export const quoted = (text: string): string => `"${shortened(text)}"`;

/** `"a", "b" or "c"`, for the end of a message that says what would be right. */
export function oneOf(names: readonly string[]): string {
  const shown = names.slice(0, most).map(quoted);
  const last = names.length > most ? `${names.length - most} more` : shown.pop();
  return shown.length === 0 ? (last ?? "nothing") : `${shown.join(", ")} or ${last}`;
}

/** ` Did you mean "title"?`, or nothing when no name is near. */
export const didYouMean = (near: readonly string[]): string =>
  near.length > 0 ? ` Did you mean ${oneOf(near)}?` : "";
