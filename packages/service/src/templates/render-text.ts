import {
  Failure,
  type JsonPath,
  needsParsing,
  type Pending,
  type Renderer,
  type Rendering,
  type Run,
  rendererOf,
  runTemplate,
  TemplateSyntaxError,
} from "@lading/schema/internal";
import { Rejection } from "../errors.ts";
import { Budget } from "./budget.ts";
import { type RenderScope, TemplateError } from "./scope.ts";

export interface Work extends Rendering {
  readonly scope: RenderScope;
  readonly budget: Budget;
  /** UTF-16 units rendered so far. */
  written: number;
}

/**
 * Renders one template.
 *
 * @returns its text; a promise of it only if a helper returned one
 * @throws TemplateError, or the promise is rejected with it
 */
export function renderText(text: string, scope: RenderScope): string | Promise<string> {
  return renderWithin({ scope, written: 0, budget: new Budget() }, text);
}

type PathOf = () => JsonPath;

/** Renders one template of an operation. Like `renderText`; an error has the path of the template. */
export function renderWithin(work: Work, text: string, pathOf: PathOf = () => []): string | Promise<string> {
  try {
    const run = newRun(work);
    const renderer = rendererOf(text);
    const rendered = attempt(renderer, run, work.budget, text.length);
    if (typeof rendered !== "string")
      return resolvePending(rendered, { renderer, length: text.length, run, work, pathOf });
    return accept(rendered, run, work);
  } catch (thrown) {
    throw located(thrown, pathOf());
  }
}

/** The longest template that is parsed for rendering ahead, in UTF-16 units. */
const longestPeeked = 200;

/**
 * The text a template renders to with what is known now; undefined if that is not enough, a helper is not in the scope,
 * rejects or answers later, or it costs more than is left of `budget`.
 */
export function peekText(text: string, scope: RenderScope, budget: Budget): string | undefined {
  try {
    if (needsParsing(text)) {
      if (text.length > Math.min(longestPeeked, budget.left)) return undefined;
      budget.charge(text.length);
    }
    const run = newRun({ scope, written: 0, budget });
    const rendered = attempt(rendererOf(text), run, budget, 0);
    return typeof rendered === "string" ? rendered : undefined;
  } catch (thrown) {
    const expected = [Failure, TemplateSyntaxError, TemplateError, Rejection].some(
      (kind) => thrown instanceof kind,
    );
    if (expected) return undefined;
    throw thrown;
  }
}

interface PendingText {
  readonly renderer: Renderer;
  readonly length: number;
  readonly run: Run;
  readonly work: Work;
  readonly pathOf: PathOf;
}

/** Evaluates a template again after each late helper result, until it has all of them. */
async function resolvePending(
  first: Pending,
  { renderer, length, run, work, pathOf }: PendingText,
): Promise<string> {
  const { budget } = work;
  try {
    let rendered: string | Pending = first;
    while (typeof rendered !== "string") {
      run.results.push(await budget.waitFor(rendered.result));
      if (budget.pauseDue) await budget.pause(work.scope);
      Object.assign(run, { calls: 0, steps: 0, maxSteps: budget.left, output: work.written });
      rendered = attempt(renderer, run, budget, length);
    }
    return accept(rendered, run, work);
  } catch (thrown) {
    throw located(thrown, pathOf());
  }
}

function newRun(work: Work): Run {
  const { scope, written, budget } = work;
  return {
    scope,
    rendering: work,
    results: [],
    calls: 0,
    steps: 0,
    maxSteps: budget.left,
    output: written,
  };
}

/** Evaluates a template once. `length` is its cost in addition to its steps, or 0. */
function attempt(renderer: Renderer, run: Run, budget: Budget, length: number): string | Pending {
  try {
    return runTemplate(renderer, run);
  } finally {
    budget.record(run.steps, length);
  }
}

/** Checks a rendered text like a literal one: every database column must take it. */
function accept(rendered: string, run: Run, work: Work): string {
  if (rendered.includes("\0") || !rendered.isWellFormed())
    throw new TemplateError("The rendered text has a NUL character or an unpaired surrogate.");
  work.written = run.output;
  return rendered;
}

function located(thrown: unknown, path: JsonPath): unknown {
  if (thrown instanceof Failure) return new TemplateError(thrown.explain(), thrown.code, path);
  if (thrown instanceof TemplateError) return new TemplateError(thrown.message, thrown.code, path);
  if (thrown instanceof Rejection) return new TemplateError(thrown.message, thrown.name, path);
  if (thrown instanceof TemplateSyntaxError)
    return new TemplateError(syntaxMessage(thrown), "TemplateError", path);
  return thrown;
}

function syntaxMessage({ message, line, column, advice }: TemplateSyntaxError): string {
  const placed = `${message} (line ${line}, column ${column} of the text)`;
  return sentence(advice === undefined ? placed : `${placed}; ${advice}`);
}

/** A phrase as a sentence: `it is so` → `It is so.` */
export const sentence = (phrase: string) => `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;
