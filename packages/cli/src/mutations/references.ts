/** `$createFolders[0].createFolder.id`: the result of the first set of variables of an earlier mutation. */
export interface Reference {
  text: string;
  name: string;
  /** The index of the set; undefined in `$root.TENANT_ID`. */
  index: number | undefined;
  path: (string | number)[];
}

/** A name begins with a letter, so that prices such as $5.99 stay what they are. */
const pattern = /\$([A-Za-z_][\w-]*)((?:\[\d+\])?)((?:\.[\w-]+(?:\[\d+\])*)+)/g;

/** The results that references may lead into, by name: a list of answers, one for each set; `root` is an object. */
export type Results = Readonly<Record<string, unknown>>;

export class UnresolvedReference extends Error {}

export function referencesIn(value: unknown): Reference[] {
  if (typeof value === "string") return [...value.matchAll(pattern)].map(referenceOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

/**
 * Returns a copy of a value with its references resolved. A string that is nothing but a reference becomes the value
 * itself; within other text the value is printed. @throws UnresolvedReference
 */
export function resolved(value: unknown, results: Results): unknown {
  if (typeof value === "string") return resolvedText(value, results);
  if (Array.isArray(value)) return value.map((member) => resolved(member, results));
  return typeof value === "object" && value !== null ? resolvedMembers(value, results) : value;
}

/** Returns a copy of an object with the references in its members resolved. @throws UnresolvedReference */
export function resolvedMembers(object: object, results: Results): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, member]) => [key, resolved(member, results)]));
}

function resolvedText(text: string, results: Results): unknown {
  const [reference] = referencesIn(text);
  if (reference?.text === text) return lookUp(reference, results);
  return text.replace(pattern, (...[text, name, index, path]: string[]) => {
    const value = lookUp(referenceOf([text, name, index, path]), results);
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  });
}

function referenceOf([text, name, index, path]: readonly (string | undefined)[]): Reference {
  const steps = [...(path ?? "").matchAll(/\.([\w-]+)|\[(\d+)\]/g)];
  return {
    text: text ?? "",
    name: name ?? "",
    index: index ? Number(index.slice(1, -1)) : undefined,
    path: steps.map(([, key, position]) => key ?? Number(position)),
  };
}

function lookUp({ text, name, index, path }: Reference, results: Results): unknown {
  const steps = [name, ...(index === undefined ? [] : [index]), ...path];
  let value: unknown = results;
  for (const [depth, step] of steps.entries()) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      throw new UnresolvedReference(`${text} leads to nothing: ${whatIsThere(value, steps.slice(0, depth))}`);
    value = Reflect.get(value, step);
  }
  return value;
}

function whatIsThere(value: unknown, steps: readonly (string | number)[]): string {
  const reached = `$${steps
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1)}`;
  if (value === undefined || value === null) return `${reached} failed or has no value`;
  if (typeof value !== "object") return `${reached} is ${JSON.stringify(value)}`;
  return `${steps.length > 0 ? reached : "what there is"} has ${Object.keys(value).join(", ") || "nothing"}`;
}
