import { parseTemplate } from "@lading/schema";
import type { Program } from "./ast.ts";
import { compileProgram } from "./compile.ts";
import { compilePath } from "./paths.ts";
import { emit, type Print, spend } from "./run.ts";
import { print } from "./values.ts";

const cacheSize = 2_000;
const longestCached = 1_000;
const cache = new Map<string, Print>();

/**
 * A template as a function that prints it. Short ones are kept until there are too many: to drop them all at once is
 * cheaper than to drop the oldest each time, and a template in constant use is soon back.
 *
 * @throws TemplateSyntaxError when it does not parse, and a `Failure` when it uses what there is not
 */
export function templateOf(text: string): Print {
  return knownTemplate(text) ?? kept(text, compileProgram(parseTemplate(text) as Program));
}

/** A template that need not be parsed; undefined where it must be. */
export function knownTemplate(text: string): Print | undefined {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const reference = compileReference(text);
  return reference && kept(text, reference);
}

function kept(text: string, template: Print): Print {
  if (text.length > longestCached) return template;
  if (cache.size >= cacheSize) cache.clear();
  cache.set(text, template);
  return template;
}

/** A single `{{ reference.property }}`, with the names that mean nothing else to the parser. */
const reference =
  /^\{\{\s*((?!(?:else|this|true|false|null|undefined)\b)[a-zA-Z_]\w*)\.((?!(?:this|true|false|null|undefined)\b)[a-zA-Z_]\w*)\s*\}\}$/;

/** Most templates are one reference, each file has its own, and the parser takes 25 µs for it: so it is spared. */
function compileReference(text: string): Print | undefined {
  const match = reference.exec(text);
  if (match === null) return undefined;
  const names = [match[1]!, match[2]!];
  const written = names.join(".");
  const evaluate = compilePath({ written, names, depth: 0, data: false, scoped: false });
  return (run, frame) => {
    spend(run, 1);
    return emit(run, print(evaluate(run, frame), written, names[1]));
  };
}
