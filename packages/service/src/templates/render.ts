import {
  hasTemplate,
  parsingAllowance,
  TemplateSyntaxError,
  tooMuchToParse,
  toPointer,
} from "@lading/schema";
import { Rejection } from "../errors.ts";
import { Budget } from "./budget.ts";
import { Pending, type Print, type Run, rootFrame } from "./run.ts";
import { NoAnswer, type Rendering, type RenderScope } from "./scope.ts";
import { knownTemplate, templateOf } from "./template.ts";
import { Failure, TemplateError } from "./template-error.ts";

export interface Rendered {
  value: unknown;
  /** JSON pointers of the strings that were templates; undefined if there was none, and `value` is the payload itself. */
  templated: string[] | undefined;
  /** The texts that are left out, because a helper had no answer (`NoAnswer`); undefined if there is none. */
  unanswered?: Unanswered[];
  /** What helpers noted; undefined if nothing. */
  noted?: readonly unknown[];
  /** What is left to the templates of the operation, where it is rendered again; undefined if none was left out. */
  budget?: Budget;
}

export interface Unanswered {
  readonly path: (string | number)[];
  readonly reason: unknown;
}

/**
 * Renders every string of a payload. A template renders to text, also where a number or a boolean is wanted: reading
 * it as one is the schema's part, which is told what was templated. Keys are left as they are, and so are `intent` and
 * `_ref`. The payload is not changed. Where that takes long, others have the thread in between.
 *
 * @param budget what is left of the operation's, where it is rendered again
 * @returns a promise only if a helper answered with one, or it took long
 * @throws TemplateError with the path of the first template that failed or whose helper rejected, or the promise is
 * rejected with it
 */
export function renderPayload(
  payload: object,
  scope: RenderScope,
  budget?: Budget,
): Rendered | Promise<Rendered> {
  if (!holdsTemplate(payload, true)) return { value: payload, templated: undefined };
  const slots: Slot[] = [];
  const value = copyWithSlots(payload, slots);
  refuseParsingOf(slots);
  const rendered: Rendered = { value, templated: slots.map(({ at }) => toPointer(pathTo(at))) };
  const work: Work = { scope, written: 0, budget: budget ?? new Budget() };
  const finish = () => {
    if (work.unanswered !== undefined)
      Object.assign(rendered, { unanswered: work.unanswered, budget: work.budget });
    if (work.noted !== undefined) rendered.noted = work.noted;
    return rendered;
  };
  const unfinished = fillSlots(slots, 0, work);
  return unfinished === undefined ? finish() : unfinished.then(finish);
}

/**
 * Renders one template.
 *
 * @returns its text; a promise of it only if a helper answered with one
 * @throws TemplateError, or the promise is rejected with it
 */
export function renderText(text: string, scope: RenderScope): string | Promise<string> {
  return render(text, { scope, written: 0, budget: new Budget() });
}

/** The longest template that is parsed to be rendered ahead, in UTF-16 units. */
const longestPeeked = 200;

/**
 * What a template renders to as far as is known now, without calling any helper; undefined if that is not enough, or
 * costs more than is left of `budget`.
 */
export function peekText(text: string, scope: RenderScope, budget: Budget): string | undefined {
  try {
    const known = knownTemplate(text);
    if (known === undefined && text.length > Math.min(longestPeeked, budget.left)) return undefined;
    if (known === undefined) budget.charge(text.length);
    const rendered = attempt(
      known ?? templateOf(text),
      newRun({ scope, written: 0, budget }, false),
      budget,
      0,
    );
    return typeof rendered === "string" ? rendered : undefined;
  } catch (thrown) {
    const expected = [Failure, TemplateSyntaxError, TemplateError].some((kind) => thrown instanceof kind);
    if (expected) return undefined;
    throw thrown;
  }
}

/** Looks without allocating anything: nearly all payloads hold no template. */
function holdsTemplate(value: unknown, outermost = false): boolean {
  if (typeof value === "string") return hasTemplate(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (holdsTemplate(value[at])) return true;
    return false;
  }
  for (const key in value) {
    if (outermost && notRendered.has(key)) continue;
    if (holdsTemplate((value as Container)[key])) return true;
  }
  return false;
}

const notRendered: ReadonlySet<string | number> = new Set(["intent", "_ref"]);

type Container = Record<string | number, unknown>;

/** A template's place in the copy of the payload that is to hold its text. */
interface Slot {
  readonly holder: Container;
  readonly template: string;
  readonly at: Step;
}

/** The way to a value, from within outwards. */
interface Step {
  readonly outer: Step | undefined;
  readonly key: string | number;
}

function copyWithSlots(container: object, slots: Slot[], outer?: Step): object {
  if (Array.isArray(container)) {
    const copy = container.slice();
    for (let key = 0; key < copy.length; key++)
      copyMember(copy as unknown as Container, { outer, key }, slots);
    return copy;
  }
  const copy: Container = { ...container };
  for (const key in copy) copyMember(copy, { outer, key }, slots);
  return copy;
}

function copyMember(holder: Container, at: Step, slots: Slot[]): void {
  const member = holder[at.key];
  if (at.outer === undefined && notRendered.has(at.key)) return;
  if (typeof member === "object" && member !== null) holder[at.key] = copyWithSlots(member, slots, at);
  else if (typeof member === "string" && hasTemplate(member)) slots.push({ holder, template: member, at });
}

function pathTo(step: Step | undefined): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = step; at !== undefined; at = at.outer) path.unshift(at.key);
  return path;
}

/** What the templates of one operation share. */
interface Work extends Rendering {
  readonly scope: RenderScope;
  /** UTF-16 units that they rendered to so far. */
  written: number;
  readonly budget: Budget;
  unanswered?: Unanswered[];
}

/** Nothing of an operation is rendered whose templates are too much to be parsed, as the check of its file says. */
function refuseParsingOf(slots: readonly Slot[]): void {
  let length = 0;
  for (const { template } of slots) length += template.length;
  const parsed = parsingAllowance(length);
  for (const { template, at } of slots)
    if (!parsed(template)) throw new TemplateError(sentence(tooMuchToParse), "TemplateError", pathTo(at));
}

/** One after the other, so that helpers are called in the order of the payload. */
function fillSlots(slots: readonly Slot[], from: number, work: Work): Promise<void> | undefined {
  for (let index = from; index < slots.length; index++) {
    const { holder, at } = slots[index]!;
    const rendered = renderSlot(slots[index]!, work);
    if (rendered instanceof Promise)
      return rendered.then((text) => {
        holder[at.key] = text;
        return fillSlots(slots, index + 1, work);
      });
    holder[at.key] = rendered;
    if (work.budget.pauseDue)
      return work.budget.pause(work.scope).then(() => fillSlots(slots, index + 1, work));
  }
  return undefined;
}

function renderSlot({ template, at }: Slot, work: Work): string | undefined | Promise<string | undefined> {
  const leaveOut = (thrown: unknown): undefined => {
    if (!(thrown instanceof NoAnswer)) throw thrown;
    work.unanswered ??= [];
    work.unanswered.push({ path: pathTo(at), reason: thrown.reason });
  };
  try {
    const rendered = render(template, work, at);
    return typeof rendered === "string" ? rendered : rendered.catch(leaveOut);
  } catch (thrown) {
    return leaveOut(thrown);
  }
}

function render(text: string, work: Work, at?: Step): string | Promise<string> {
  const run = newRun(work, true);
  try {
    const template = templateOf(text);
    const rendered = attempt(template, run, work.budget, text.length);
    if (typeof rendered !== "string")
      return finish({ template, length: text.length }, run, work, rendered, at);
    return accept(rendered, run, work);
  } catch (thrown) {
    throw located(thrown, at);
  }
}

/** A template is evaluated once for each late answer. */
async function finish(
  { template, length }: { template: Print; length: number },
  run: Run,
  work: Work,
  first: Pending,
  at?: Step,
): Promise<string> {
  const { budget } = work;
  try {
    let rendered: string | Pending = first;
    while (typeof rendered !== "string") {
      run.answers.push(await budget.wait(rendered.answer));
      if (budget.pauseDue) await budget.pause(work.scope);
      Object.assign(run, { calls: 0, steps: 0, limit: budget.left, output: work.written });
      rendered = attempt(template, run, budget, length);
    }
    return accept(rendered, run, work);
  } catch (thrown) {
    throw located(thrown, at);
  }
}

function newRun(work: Work, callsAllowed: boolean): Run {
  const { scope, written, budget } = work;
  return {
    scope,
    rendering: work,
    callsAllowed,
    answers: [],
    calls: 0,
    steps: 0,
    limit: budget.left,
    output: written,
  };
}

/** Evaluates a template once. `length` is what it takes beside its steps, or 0. */
function attempt(template: Print, run: Run, budget: Budget, length: number): string | Pending {
  try {
    return template(run, rootFrame);
  } catch (thrown) {
    if (thrown instanceof Pending) return thrown;
    throw thrown;
  } finally {
    budget.took(run.steps, length);
  }
}

/** What is rendered obeys the same rule as what was written: a text that every database column takes. */
function accept(rendered: string, run: Run, work: Work): string {
  if (rendered.includes("\0") || !rendered.isWellFormed())
    throw new TemplateError("The rendered text has a NUL character or an unpaired surrogate.");
  work.written = run.output;
  return rendered;
}

function located(thrown: unknown, at: Step | undefined): unknown {
  const path = pathTo(at);
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

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
