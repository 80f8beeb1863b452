import { blockNames, misuseOf } from "@lading/schema";
import { renderLimits } from "./limits.ts";
import { describe, list, suggestion, suggestionOrBraces } from "./messages.ts";
import { type Evaluate, Pending, type Run, spend } from "./run.ts";
import { Failure, fail, failAbsent } from "./template-error.ts";
import { memberAt, ownProperty } from "./values.ts";

/** A call of a helper: `{{ name arguments key=value }}` or `(name arguments key=value)`. */
export interface Call {
  readonly name: string;
  readonly arguments: readonly Evaluate[];
  readonly hash: readonly (readonly [key: string, value: Evaluate])[];
}

/** A call of a helper costs as much as so many steps, before it does anything. */
const stepsOfCall = 5;

/** Evaluates to what the helper answers. An unknown helper is a `Failure`. */
export function compileCall(call: Call): Evaluate {
  if (call.name === "lookup") return compileLookup(call);
  if (call.name === "valueOf") return compileValueOf(call);
  const steps = stepsOfCall + call.arguments.length + call.hash.length;
  return (run, frame) => {
    spend(run, steps);
    const values = call.arguments.map((argument) => argument(run, frame));
    const hash = Object.fromEntries(call.hash.map(([key, value]) => [key, value(run, frame)]));
    return answer(run, call.name, values, hash);
  };
}

function answer(run: Run, name: string, values: unknown[], hash: Record<string, unknown>): unknown {
  const { helpers } = run.scope;
  if (!Object.hasOwn(helpers, name)) return fail(() => unknownHelper(name, Object.keys(helpers)));
  if (!run.callsAllowed) return fail(() => `"${name}" is not called yet.`);
  const call = run.calls++;
  if (call >= renderLimits.calls)
    return fail(
      () => `The template calls more than ${renderLimits.calls} helpers, the most that one may call.`,
    );
  if (call < run.answers.length) return run.answers[call];
  const result = helpers[name]!(values, hash, run.rendering);
  if (result instanceof Promise) throw new Pending(result);
  run.answers.push(result);
  return result;
}

function unknownHelper(name: string, custom: readonly string[]): string {
  if (blockNames.includes(name)) return `"${name}" is a block: write {{#${name} …}}…{{/${name}}}.`;
  const known = ["lookup", "valueOf", ...custom];
  return `There is no helper "${name}"; there is ${list(known)}.${suggestionOrBraces(name, known)}`;
}

/** `(lookup object name)`: the property whose name is itself a value. */
function compileLookup(call: Call): Evaluate {
  const [object, name] = twoArguments(call);
  return (run, frame) => {
    spend(run, 1);
    const owner = object(run, frame);
    const key = String(name(run, frame));
    const found = ownProperty(owner, key);
    return found === undefined ? failAbsent(() => absentEntry("lookup", owner, key)) : found;
  };
}

/** `(valueOf entity 'a.b.c')`: what is at the end of a path, which is itself a value. */
function compileValueOf(call: Call): Evaluate {
  const [entity, path] = twoArguments(call);
  return (run, frame) => {
    let value = entity(run, frame);
    const written = path(run, frame);
    // What it is evaluated to may be long, and so may be a list that is searched.
    spend(run, typeof written === "string" ? written.length : 1);
    for (const name of namesOf(written)) {
      const owner = value;
      spend(run, Array.isArray(owner) ? owner.length : 1);
      value = memberAt(owner, name);
      if (value === undefined) failAbsent(() => absentEntry("valueOf", owner, name));
    }
    return value;
  };
}

function twoArguments({ name, arguments: given, hash }: Call): [Evaluate, Evaluate] {
  const written = { name, arguments: given.map(() => undefined), named: hash.map(([key]) => key) };
  const misuse = misuseOf(written);
  if (misuse !== undefined) throw new Failure(() => `"${name}" ${misuse}.`);
  return [given[0]!, given[1]!];
}

/** The names of a dotted path; one with a dot in it stands in brackets: `components.[v1.2].content`. */
function namesOf(path: unknown): string[] {
  const text = typeof path === "number" ? String(path) : path;
  const isPath =
    typeof text === "string" && /^(?:\[[^\]]*\]|[^.[\]]+)(?:\.(?:\[[^\]]*\]|[^.[\]]+))*$/.test(text);
  if (!isPath) return fail(() => `"valueOf" takes a path such as "version.label", not ${describe(path)}.`);
  return [...text.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([name, quoted]) => quoted ?? name);
}

function absentEntry(helper: string, owner: unknown, key: string): string {
  const near = typeof owner === "object" && owner !== null ? suggestion(key, Object.keys(owner)) : "";
  return `"${helper}" finds no property "${key}" in ${describe(owner)}.${near}`;
}
