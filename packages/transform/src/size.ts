/** True when objects and lists are nested more than `levels` deep. Descends no further than that. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value)) if (isDeeper(member, levels - 1)) return true;
  return false;
}

/** The number of values in JSON, as the limit of a file counts them: commas and opening brackets outside of texts. */
export function valuesIn(json: string): number {
  let count = 0;
  let isText = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (character === '"') isText = !isText;
    else if (isText && character === "\\") i++;
    else if (!isText && (character === "," || character === "[" || character === "{")) count++;
  }
  return count;
}
