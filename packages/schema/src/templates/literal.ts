/**
 * A template that renders to exactly this text. Text without `{{` is its own template; a backslash escapes braces, and
 * backslashes of the text before braces are escaped too.
 */
export function literalTemplate(text: string): string {
  // A run of backslashes is matched only from its first one: otherwise the time is quadratic in its length.
  return text.replace(/(?<!\\)(\\*)\{\{/g, (_, backslashes: string) =>
    // two backslashes before braces print one and leave the braces to the parser: here an empty comment
    backslashes === "" ? "\\{{" : `\\${backslashes}{{!}}\\{{`,
  );
}
