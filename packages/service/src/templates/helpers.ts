import { blockNames } from "@lading/schema";
import { renderLimits } from "./limits.ts";
import { describe, list, suggestion } from "./messages.ts";
import { type Evaluate, Pending, type Run } from "./run.ts";
import { Failure, fail, failAbsent } from "./template-error.ts";
import { ownProperty } from "./values.ts";

/** A call of a helper: `{{ name arguments key=value }}` or `(name arguments key=value)`. */
export interface Call {
  readonly name: string;
  readonly arguments: readonly Evaluate[];
  readonly hash: readonly (readonly [key: string, value: Evaluate])[];
}

/** Evaluates to what the helper answers. An unknown helper is a `Failure`. */
export function compileCall(call: Call): Evaluate {
  if (call.name === "lookup") return compileLookup(call);
  return (run, frame) => {
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
  const result = helpers[name]!(values, hash);
  if (result instanceof Promise) throw new Pending(result);
  run.answers.push(result);
  return result;
}

function unknownHelper(name: string, custom: readonly string[]): string {
  if (blockNames.includes(name)) return `"${name}" is a block: write {{#${name} …}}…{{/${name}}}.`;
  const known = ["lookup", ...custom];
  return `There is no helper "${name}"; there is ${list(known)}.${suggestion(name, known)}`;
}

/** `(lookup object name)`: the property whose name is itself a value. */
function compileLookup({ arguments: given, hash }: Call): Evaluate {
  const [object, name] = given;
  if (object === undefined || name === undefined || given.length > 2 || hash.length > 0)
    throw new Failure(() => `"lookup" takes an object and the name of a property, and nothing else.`);
  return (run, frame) => {
    const owner = object(run, frame);
    const key = name(run, frame);
    return ownProperty(owner, String(key)) ?? failAbsent(() => absentEntry(owner, String(key)));
  };
}

function absentEntry(owner: unknown, key: string): string {
  const near = typeof owner === "object" && owner !== null ? suggestion(key, Object.keys(owner)) : "";
  return `"lookup" finds no property "${key}" in ${describe(owner)}.${near}`;
}
