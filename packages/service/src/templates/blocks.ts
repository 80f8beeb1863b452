import { blockNames, misuseOfBlock } from "@lading/schema";
import { describe, list } from "./messages.ts";
import { type Evaluate, type Frame, type Print, type Run, spend } from "./run.ts";
import { Failure, fail } from "./template-error.ts";
import { isTruthy } from "./values.ts";

/** A block with its parts compiled: `{{#name argument key=value as |names|}} body {{else}} otherwise {{/name}}`. */
export interface Block {
  readonly name: string;
  readonly arguments: readonly Evaluate[];
  readonly hash: Readonly<Record<string, Evaluate>>;
  readonly names: readonly string[];
  readonly body: Print;
  readonly otherwise: Print;
}

interface BlockKind {
  readonly hash: readonly string[];
  /** How many block parameters it fills. */
  readonly names: number;
  compile(block: Block, argument: Evaluate): Print;
}

/** How each block of `blockNames` works. */
const kinds: Readonly<Record<string, BlockKind>> = {
  if: {
    hash: ["includeZero"],
    names: 0,
    compile: (block, argument) => choose(block, argument, true),
  },
  unless: {
    hash: ["includeZero"],
    names: 0,
    compile: (block, argument) => choose(block, argument, false),
  },
  each: { hash: [], names: 2, compile: each },
  with: { hash: [], names: 1, compile: withContext },
  raw: { hash: [], names: 0, compile: (block) => block.body },
};

/** Checks how the block is used and compiles it. What is wrong is a `Failure`. */
export function compileBlock(block: Block): Print {
  const kind = Object.hasOwn(kinds, block.name) ? kinds[block.name] : undefined;
  if (kind === undefined)
    throw new Failure(() => `There is no block "${block.name}"; there is ${list(blockNames)}.`);
  const wrong = misuse(block, kind);
  if (wrong !== undefined) throw new Failure(() => `"#${block.name}" ${wrong}.`);
  return kind.compile(block, block.arguments[0]!);
}

function misuse(block: Block, kind: BlockKind): string | undefined {
  const miscounted = misuseOfBlock(block.name, block.arguments.length);
  if (miscounted !== undefined) return miscounted;
  if (block.names.length > kind.names)
    return `has ${kind.names} block parameters at most, got ${block.names.length}`;
  const unknown = Object.keys(block.hash).find((key) => !kind.hash.includes(key));
  return unknown === undefined
    ? undefined
    : `knows no ${JSON.stringify(unknown)}; it knows ${list(kind.hash)}`;
}

function choose(block: Block, argument: Evaluate, wanted: boolean): Print {
  const { includeZero } = block.hash;
  return (run, frame) => {
    const zeroCounts = includeZero !== undefined && isTruthy(includeZero(run, frame));
    const holds = isTruthy(condition(argument, run, frame), zeroCounts);
    return (holds === wanted ? block.body : block.otherwise)(run, frame);
  };
}

/** An absent property, or a reference to an operation that failed, is just false (design, section 3). */
function condition(argument: Evaluate, run: Run, frame: Frame): unknown {
  try {
    return argument(run, frame);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.absence) return undefined;
    throw thrown;
  }
}

function withContext(block: Block, argument: Evaluate): Print {
  return (run, frame) => {
    const context = argument(run, frame);
    if (!isTruthy(context)) return block.otherwise(run, frame);
    return block.body(run, { context, parent: frame, names: block.names, values: [context] });
  };
}

function each(block: Block, argument: Evaluate): Print {
  return (run, frame) => {
    const entries = entriesOf(argument(run, frame), run);
    if (entries.length === 0) return block.otherwise(run, frame);
    let text = "";
    for (const [index, [key, context]] of entries.entries()) {
      const data = { index, key, first: index === 0, last: index === entries.length - 1 };
      text += block.body(run, { context, parent: frame, data, names: block.names, values: [context, key] });
    }
    return text;
  };
}

/** A round makes a frame with its data. */
const stepsOfRound = 2;

/** They are counted before they are gone over, which the copying of a long list is part of. */
function entriesOf(value: unknown, run: Run): [key: string | number, value: unknown][] {
  if (value === null) return [];
  if (typeof value !== "object")
    return fail(() => `"#each" goes over a list or an object, not over ${describe(value)}.`);
  const keys = Array.isArray(value) ? value : Object.keys(value as object);
  spend(run, stepsOfRound * keys.length);
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value as object);
}
