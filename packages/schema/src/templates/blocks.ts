import { Failure, fail } from "./evaluate/failure.ts";
import { describe, list } from "./evaluate/messages.ts";
import { type Evaluator, type Frame, type Renderer, type Run, spend } from "./evaluate/run.ts";
import { isTruthy } from "./evaluate/values.ts";
import { writtenAs } from "./parse/expressions.ts";
import type { BlockStatement } from "./parse/syntax-tree.ts";

/** A block with its parts compiled: `{{#name argument key=value as |names|}} body {{else}} otherwise {{/name}}`. */
export interface Block {
  readonly arguments: readonly Evaluator[];
  readonly named: readonly (readonly [key: string, value: Evaluator])[];
  readonly names: readonly string[];
  readonly body: Renderer;
  readonly otherwise: Renderer;
}

interface BlockKind {
  readonly arguments: number;
  /** The keys of its named arguments. */
  readonly named: readonly string[];
  /** Maximum number of block parameters. */
  readonly names: number;
  /** The context of its body: the surrounding one, its argument, or an entry of its argument. */
  readonly context: "outer" | "argument" | "entry";
  /** True if it treats an absent argument as false. */
  readonly isCondition: boolean;
  compile(block: Block): Renderer;
}

const plain = { named: [], names: 0, context: "outer", isCondition: false } as const;
const condition = { ...plain, arguments: 1, named: ["includeZero"], isCondition: true } as const;

/** The blocks that templates may use. */
const blocks: Readonly<Record<string, BlockKind>> = {
  if: { ...condition, compile: (block) => choose(block, true) },
  unless: { ...condition, compile: (block) => choose(block, false) },
  each: { ...plain, arguments: 1, names: 2, context: "entry", compile: each },
  with: { ...plain, arguments: 1, names: 1, context: "argument", compile: withContext },
  raw: { ...plain, arguments: 0, compile: ({ body }) => body },
};

export const blockNames: readonly string[] = Object.keys(blocks);

/** The kind of a block; undefined if there is none with that name. */
export const blockKind = (name: string): BlockKind | undefined =>
  Object.hasOwn(blocks, name) ? blocks[name] : undefined;

/** The parts of a block's opening that are checked. */
export interface BlockOpening {
  readonly name: string;
  readonly arguments: number;
  readonly named: readonly string[];
  readonly names: readonly string[];
}

export function openingOf({ path, params, hash, program }: BlockStatement): BlockOpening {
  return {
    name: writtenAs(path),
    arguments: params.length,
    named: (hash?.pairs ?? []).map(({ key }) => key),
    names: program?.blockParams ?? [],
  };
}

/**
 * Explains the misuse of a known block, after its name: `takes 1 argument, got 2`. Undefined if it is used correctly.
 */
export function misuseOfBlock(opening: BlockOpening): string | undefined {
  const kind = blockKind(opening.name);
  if (kind === undefined) return undefined;
  if (opening.arguments !== kind.arguments)
    return `takes ${counted(kind.arguments, "argument")}, got ${opening.arguments}`;
  if (opening.names.length > kind.names)
    return `has at most ${counted(kind.names, "block parameter")}, got ${opening.names.length}`;
  const unknown = opening.named.find((key) => !kind.named.includes(key));
  return unknown === undefined
    ? undefined
    : `takes no argument named ${JSON.stringify(unknown)}; it takes ${list(kind.named)}`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The kind of a block. Throws a `Failure` if there is none with that name, or its opening is invalid. */
export function requireKind(opening: BlockOpening): BlockKind {
  const { name } = opening;
  const kind = blockKind(name);
  if (kind === undefined)
    throw new Failure(() => `There is no block "${name}"; there is ${list(blockNames)}.`);
  const misuse = misuseOfBlock(opening);
  if (misuse !== undefined) throw new Failure(() => `"#${name}" ${misuse}.`);
  return kind;
}

function choose({ arguments: [argument], named, body, otherwise }: Block, wanted: boolean): Renderer {
  const includeZero = named.findLast(([key]) => key === "includeZero")?.[1];
  return (run, frame) => {
    const zeroCounts = includeZero !== undefined && isTruthy(includeZero(run, frame));
    const holds = isTruthy(valueIfPresent(argument!, run, frame), zeroCounts);
    return (holds === wanted ? body : otherwise)(run, frame);
  };
}

/** The value of a condition. An absent property, or a reference to a failed operation, is false. */
function valueIfPresent(argument: Evaluator, run: Run, frame: Frame): unknown {
  try {
    return argument(run, frame);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.absence) return undefined;
    throw thrown;
  }
}

function withContext({ arguments: [argument], names, body, otherwise }: Block): Renderer {
  return (run, frame) => {
    const context = argument!(run, frame);
    if (!isTruthy(context)) return otherwise(run, frame);
    return body(run, { context, parent: frame, names, values: [context] });
  };
}

function each({ arguments: [argument], names, body, otherwise }: Block): Renderer {
  return (run, frame) => {
    const entries = entriesOf(argument!(run, frame), run);
    if (entries.length === 0) return otherwise(run, frame);
    let text = "";
    for (const [index, [key, context]] of entries.entries()) {
      const data = { index, key, first: index === 0, last: index === entries.length - 1 };
      text += body(run, { context, parent: frame, data, names, values: [context, key] });
    }
    return text;
  };
}

/** The cost in steps of one round of `each`, which makes a frame with its data. */
const stepsOfRound = 2;

/**
 * The entries of a list or an object. They are counted before being visited, because copying a long list also takes
 * time.
 */
function entriesOf(value: unknown, run: Run): [key: string | number, value: unknown][] {
  if (value === null) return [];
  if (typeof value !== "object")
    return fail(() => `"#each" goes over a list or an object, not over ${describe(value)}.`);
  const keys = Array.isArray(value) ? value : Object.keys(value);
  spend(run, stepsOfRound * keys.length);
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value);
}
