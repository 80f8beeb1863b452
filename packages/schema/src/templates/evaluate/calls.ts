import { blockNames } from "../blocks.ts";
import { misuseOf, readers } from "../helpers.ts";
import { renderLimits } from "../limits.ts";
import { Failure, fail, failAbsent } from "./failure.ts";
import { describe, list, suggestion, suggestionOrBraces } from "./messages.ts";
import { type Evaluator, Pending, type Run, spend } from "./run.ts";
import { memberAt, ownProperty } from "./values.ts";

/** A call of a helper: `{{ name arguments key=value }}` or `(name arguments key=value)`. */
export interface Call {
  readonly name: string;
  readonly arguments: readonly Evaluator[];
  readonly named: readonly (readonly [key: string, value: Evaluator])[];
}

/** The fixed cost of a call, in steps. */
const stepsOfCall = 5;

/** Evaluates to the helper's result. Throws a `Failure` if a built-in helper is called incorrectly. */
export function compileCall(call: Call): Evaluator {
  if (call.name === "lookup") return compileLookup(call);
  if (call.name === "valueOf") return compileValueOf(call);
  const steps = stepsOfCall + call.arguments.length + call.named.length;
  return (run, frame) => {
    spend(run, steps);
    const values = call.arguments.map((argument) => argument(run, frame));
    const named = Object.fromEntries(call.named.map(([key, value]) => [key, value(run, frame)]));
    return resultOf(run, call.name, values, named);
  };
}

function resultOf(run: Run, name: string, values: unknown[], named: Record<string, unknown>): unknown {
  const { helpers } = run.scope;
  if (!Object.hasOwn(helpers, name)) return fail(() => unknownHelper(name, Object.keys(helpers)));
  const call = run.calls++;
  if (call >= renderLimits.calls)
    return fail(() => `The template calls more than ${renderLimits.calls} helpers, the limit.`);
  if (call < run.results.length) return run.results[call];
  const result = helpers[name]!(values, named, run.rendering);
  if (result instanceof Promise) throw new Pending(result);
  run.results.push(result);
  return result;
}

function unknownHelper(name: string, custom: readonly string[]): string {
  if (blockNames.includes(name)) return `"${name}" is a block: write {{#${name} …}}…{{/${name}}}.`;
  const names = [...readers, ...custom];
  return `There is no helper "${name}".${suggestionOrBraces(name, names)} There is ${list(names)}.`;
}

/** `(lookup object name)`: the property whose name is itself a value. */
function compileLookup(call: Call): Evaluator {
  const [object, name] = twoArguments(call);
  return (run, frame) => {
    spend(run, 1);
    const owner = object(run, frame);
    const key = name(run, frame);
    // An object names no property, and the text of a long list would take longer than a step.
    const value = typeof key === "object" && key !== null ? undefined : ownProperty(owner, String(key));
    return value === undefined ? failAbsent(() => absentEntry("lookup", owner, key)) : value;
  };
}

/** `(valueOf entity 'a.b.c')`: the value at the end of a path, which is itself a value. */
function compileValueOf(call: Call): Evaluator {
  const [entity, path] = twoArguments(call);
  return (run, frame) => {
    let value = entity(run, frame);
    const written = path(run, frame);
    // The path may be long, and so may a list it searches.
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

function twoArguments({ name, arguments: values, named }: Call): [Evaluator, Evaluator] {
  const written = { name, arguments: values.map(() => undefined), named: Object.fromEntries(named) };
  const misuse = misuseOf(written);
  if (misuse !== undefined) throw new Failure(() => `"${name}" ${misuse}.`);
  return [values[0]!, values[1]!];
}

/** The names of a dotted path; one that contains a dot is in brackets: `components.[v1.2].content`. */
function namesOf(path: unknown): string[] {
  const text = typeof path === "number" ? String(path) : path;
  const isPath =
    typeof text === "string" && /^(?:\[[^\]]*\]|[^.[\]]+)(?:\.(?:\[[^\]]*\]|[^.[\]]+))*$/.test(text);
  if (!isPath) return fail(() => `"valueOf" takes a path such as "version.label", not ${describe(path)}.`);
  return [...text.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([name, quoted]) => quoted ?? name);
}

function absentEntry(helper: string, owner: unknown, key: unknown): string {
  if (typeof key === "object" && key !== null)
    return `"${helper}" takes the name of a property, and not ${describe(key)}.`;
  const name = String(key);
  const near = typeof owner === "object" && owner !== null ? suggestion(name, Object.keys(owner)) : "";
  const where = describe(owner);
  return near === ""
    ? `"${helper}" finds no property "${name}" in ${where}.`
    : `"${helper}" finds no property "${name}".${near} It looks in ${where}.`;
}
