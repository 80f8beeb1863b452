import { isObject } from "@lading/schema/internal/is-object";
import { CliError, exitCode } from "../exit.ts";
import { parseJson } from "../files/json-input.ts";
import { readText } from "../files/write-whole.ts";
import { referencesIn } from "./references.ts";

/** A mutation, which is sent once for each set of variables. */
export interface Mutation {
  name: string;
  mutation: string;
  sets: Record<string, unknown>[];
}

/**
 * Reads a file of mutations: `{ "<name>": { "mutation": "…", "sets": [{…variables}] } }`.
 * @throws CliError that lists every problem, before anything is sent
 */
export async function readMutations(file: string): Promise<Mutation[]> {
  const text = await readText(file);
  if (text === undefined) throw new CliError(`there is no file ${file}`);
  const { mutations, problems } = check(await parseJson(text, file));
  if (problems.length === 0) return mutations;
  throw new CliError(
    [`${file} cannot be executed:`, ...problems.map((problem) => `  ${problem}`)],
    exitCode.invalidFile,
  );
}

function check(content: unknown): { mutations: Mutation[]; problems: string[] } {
  const shape = '{ "<name>": { "mutation": "…", "sets": [{…}] } }';
  if (!isObject(content)) return { mutations: [], problems: [`expected an object such as ${shape}`] };
  const problems: string[] = [];
  const mutations: Mutation[] = [];
  for (const [name, entry] of Object.entries(content)) {
    const checked = checkEntry(name, entry);
    if (Array.isArray(checked)) problems.push(...checked);
    else {
      problems.push(...unknownReferences(name, checked.sets, mutations));
      mutations.push(checked);
    }
  }
  return { mutations, problems };
}

/** Returns the mutation of an entry, or its problems. */
function checkEntry(name: string, entry: unknown): Mutation | string[] {
  if (!isObject(entry)) return [`${name}: expected an object with "mutation" and "sets"`];
  const { mutation, sets = [{}], target = "core" } = entry;
  const isMutation = typeof mutation === "string";
  const areSets = Array.isArray(sets) && sets.every(isObject);
  if (isMutation && areSets && target === "core") return { name, mutation, sets };
  const problems: string[] = [];
  if (!isMutation) problems.push(`${name}: "mutation" is missing, the text of a GraphQL mutation`);
  if (!areSets)
    problems.push(`${name}: "sets" is not a list of objects, the variables of each time it is sent`);
  if (target !== "core")
    problems.push(`${name}: the target ${JSON.stringify(target)} does not exist, only "core"`);
  return problems;
}

/** Finds references to results that do not exist yet when the mutation is sent. */
function unknownReferences(name: string, sets: Mutation["sets"], earlier: readonly Mutation[]): string[] {
  const counts = new Map(earlier.map(({ name, sets }) => [name, sets.length]));
  return sets.flatMap((set, index) =>
    referencesIn(set)
      .filter((reference) => {
        const resultCount = reference.name === name ? index : counts.get(reference.name);
        return reference.name !== "root" && (reference.index ?? 0) >= (resultCount ?? 0);
      })
      .map(({ text }) => `${name}[${index}]: ${text} does not refer to a result of an earlier mutation`),
  );
}
