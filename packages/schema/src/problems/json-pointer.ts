/** The path from a value to a nested one: keys of objects and indexes of lists. */
export type JsonPath = readonly (string | number)[];

export function toPointer(path: JsonPath): string {
  let pointer = "";
  for (const key of path) pointer += `/${typeof key === "string" && /[~/]/.test(key) ? escaped(key) : key}`;
  return pointer;
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The keys of a JSON pointer (RFC 6901). A list index is its digits as text. */
export function pointerKeys(pointer: string): string[] {
  const keys = pointer.split("/");
  keys.shift();
  return pointer.includes("~") ? keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~")) : keys;
}
