/**
 * A template that renders to exactly this text. Text without `{{` is its own template; braces, and backslashes before
 * them, are escaped with backslashes.
 */
export function literalTemplate(text: string): string {
  // A run of backslashes is matched only from its start; otherwise the time is quadratic in its length.
  return text.replace(/(?<!\\)(\\*)\{\{/g, (_, backslashes: string) =>
    // two backslashes before braces print one and leave the braces to the parser: here an empty comment
    backslashes === "" ? "\\{{" : `\\${backslashes}{{!}}\\{{`,
  );
}
