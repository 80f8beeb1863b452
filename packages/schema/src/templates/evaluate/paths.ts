import { defaultsName } from "../names.ts";
import type { Path } from "../parse/expressions.ts";
import { fail, failAbsent } from "./failure.ts";
import { describe, list, suggestion, suggestionOrBraces } from "./messages.ts";
import { type Evaluator, type Frame, type Run, root, spend } from "./run.ts";
import type { TemplateScope } from "./template-scope.ts";
import { ownProperty } from "./values.ts";

/** The progress of following a path. */
interface Walk {
  /** The last value; undefined if a name was not found. */
  value: unknown;
  /** The value that has the last one as a property. */
  owner: unknown;
  /** The index of the next name. */
  at: number;
}

/**
 * Evaluates to the value at the end of the path. Absent values and failed operations throw a `Failure`.
 *
 * @param head the sub-expression at the start of the path
 */
export function compilePath(path: Path, head?: Evaluator): Evaluator {
  return (run, frame) => {
    spend(run, 1 + path.names.length);
    const walk = head === undefined ? begin(path, frame) : beginAt(head(run, frame));
    follow(path, walk, run);
    if (walk.value === root) return fail(() => `"${path.written}" stands for everything; name a reference.`);
    if (walk.value === undefined) return failAbsent(() => explainAbsence(path, walk, run));
    return walk.value;
  };
}

function follow({ names }: Path, walk: Walk, run: Run): void {
  while (walk.at < names.length && walk.value !== undefined) {
    walk.owner = walk.value;
    walk.value = memberOf(walk.owner, names[walk.at]!, run);
    walk.at++;
  }
}

const beginAt = (value: unknown): Walk => ({ value: value ?? null, owner: undefined, at: 0 });

function begin(path: Path, frame: Frame): Walk {
  if (path.data) return { value: dataValue(path, frame), owner: undefined, at: 1 };
  const parameter = path.scoped ? undefined : blockParameter(path.names[0], frame);
  if (parameter !== undefined) return { value: parameter, owner: undefined, at: 1 };
  return { value: climb(path, frame).context, owner: undefined, at: 0 };
}

function memberOf(value: unknown, name: string, run: Run): unknown {
  return value === root ? rootValue(name, run) : ownProperty(value, name);
}

function rootValue(name: string, { scope }: Run): unknown {
  if (name === defaultsName) return scope.defaults;
  const reference = scope.lookup(name);
  if (reference === undefined) return fail(() => unknownReference(name, scope));
  if (reference.status === "failure")
    return failAbsent(
      () => `"${name}" is the result of operation ${reference.index}, which failed.`,
      "FailedDependency",
    );
  return reference.output ?? null;
}

function unknownReference(name: string, scope: TemplateScope): string {
  const later = scope.later?.(name);
  if (later?.isThis)
    return `"${name}" is the _ref of this operation itself, whose result only later ones read.`;
  if (later !== undefined)
    return `"${name}" is the _ref of operation ${later.index}, which is executed later: move it before this one.`;
  const names = scope.names();
  const all = [...(names ?? [])];
  const there =
    all.length === 0 ? " None has one." : ` There ${all.length === 1 ? "is" : "are"} ${list(all)}.`;
  const near = suggestionOrBraces(name, [...all, defaultsName]);
  return `No operation before this one has the _ref "${name}".${near}${names === undefined ? "" : there}`;
}

/** The value of a block parameter; undefined if no enclosing block has one with that name. */
export function blockParameter(name: string | undefined, frame: Frame): unknown {
  for (let at: Frame | undefined = frame; at !== undefined; at = at.parent) {
    const index = name === undefined ? -1 : (at.names?.indexOf(name) ?? -1);
    if (index !== -1) return at.values?.[index] ?? null;
  }
  return undefined;
}

function dataValue({ written, names, depth }: Path, frame: Frame): unknown {
  const name = names[0] ?? "";
  if (name === "root") return root;
  let skip = depth;
  for (let at: Frame | undefined = frame; at !== undefined; at = at.parent) {
    if (at.data === undefined || skip-- > 0) continue;
    if (Object.hasOwn(at.data, name)) return at.data[name];
  }
  return fail(() => `There is no "${written}" here; there is ${list(dataNames(frame))}.`);
}

/** The names beginning with `@` in a part of a template. */
function dataNames(frame: Frame): Set<string> {
  const names = new Set(["@root"]);
  for (let at: Frame | undefined = frame; at !== undefined; at = at.parent)
    for (const key of Object.keys(at.data ?? {})) names.add(`@${key}`);
  return names;
}

function climb(path: Path, frame: Frame): Frame {
  let at: Frame | undefined = frame;
  for (let i = 0; i < path.depth && at !== undefined; i++) at = at.parent;
  return (
    at ?? fail(() => `"${path.written}" leads out of the template; there are not that many blocks around it.`)
  );
}

function explainAbsence(path: Path, { owner, at }: Walk, run: Run): string {
  const name = path.names[at - 1] ?? "";
  if (owner === run.scope.defaults) return absentFrom(`"${defaultsName}"`, owner, name);
  if (at === 1) return absentFrom("What the block is on", owner, name) + rootHint(name, run);
  const names = path.names.slice(0, at - 1);
  const operation = names.length === 1 ? run.scope.lookup(names[0]!) : undefined;
  const whole = operation?.status !== "failure" && operation?.output === owner ? operation : undefined;
  const where = whole && (whole.index === null ? ' in "_results"' : ` (operation ${whole.index})`);
  return absentFrom(`"${names.join(".")}"${where ?? ""}`, owner, name);
}

function absentFrom(subject: string, owner: unknown, name: string): string {
  if (typeof owner !== "object" || owner === null)
    return `${subject} has no property "${name}": it is ${describe(owner)}.`;
  const names = Object.keys(owner);
  return `${subject} has no property "${name}".${suggestion(name, names)} It has ${list(names)}.`;
}

function rootHint(name: string, { scope }: Run): string {
  const outside = name === defaultsName || scope.lookup(name) !== undefined;
  return outside ? ` Within a block, what is outside is {{ @root.${name} }}.` : "";
}
