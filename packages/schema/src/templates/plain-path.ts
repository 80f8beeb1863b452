/** Words that the parser takes for something else than a name. */
const name = String.raw`(?!(?:else|this|true|false|null|undefined)\b)[A-Za-z_][\w-]*`;
const plain = new RegExp(String.raw`^\{\{ *(${name}(?:\.${name})+) *\}\}$`);

/**
 * The names in a template that is nothing but `{{ name.property }}`, with more properties or dashes if need be.
 * Undefined for every other template, whether it could be read so or not. Most templates are like that, every file
 * has its own, and parsing one takes 25 µs: this spares it.
 */
export function plainPath(template: string): string[] | undefined {
  return plain.exec(template)?.[1]?.split(".");
}
