import type { FileReport } from "@lading/schema";
import { count, counted, plain } from "../context.ts";
import type { Seen } from "../task/watch.ts";
import type { ChangedOperation } from "./changed-operations.ts";
import { type Refused, refusalText } from "./refusals.ts";
import { planSummary, removalsOf, shownValue, signOf } from "./report.ts";

/** Maximum length of a plan in characters: a comment on GitHub has at most 65,536. */
const longest = 60_000;
/** Room for what is left out and for the next command, in characters. */
const reserved = 6_000;
const mostRows = 50;
/** Maximum length of a message or name; longer ones are cut. */
const longestText = 300;

/**
 * Text as a code span, in which nothing else is markup, also in a table's cell. Where a backslash precedes a pipe,
 * markdown has no way to write both in a span of a cell: characters are then written as references.
 */
export const code = (text: string): string => span(cut(plain(text)));

function span(text: string): string {
  const shown = text || " ";
  if (shown.includes("\\|"))
    return `<code>${shown.replaceAll(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0)};`)}</code>`;
  const fence = "`".repeat(1 + Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)));
  const room = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return fence + room + shown.replaceAll("|", "\\|") + room + fence;
}

/** Text within a block of HTML. */
const html = (text: string): string =>
  `<code>${cut(plain(text)).replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)}</code>`;

const cut = (text: string) =>
  text.length <= longestText ? text : `${text.slice(0, longestText).toWellFormed()}…`;

const table = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heading, heading.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** A text of paragraphs that ends before it is too long. */
class Paragraphs {
  #text = "";

  /** Adds a paragraph; returns false, and adds nothing, if it does not fit. */
  add(paragraph: string, room = reserved): boolean {
    if (this.#text.length + paragraph.length + 2 > longest - room) return false;
    this.#text += `${paragraph}\n\n`;
    return true;
  }

  /** Adds a table of the rows that fit into a number of characters, and says how many do not. */
  addTable(
    title: string,
    names: readonly string[],
    rows: readonly (readonly string[])[],
    most: number,
  ): void {
    if (rows.length === 0) return;
    let length = 0;
    const cut = rows.findIndex((row) => {
      length += row.join(" | ").length + 5;
      return length > most;
    });
    const fitting = cut === -1 ? rows : rows.slice(0, cut);
    const left = rows.length - fitting.length;
    const more = left > 0 ? [`${counted(left, "more row")} left out.`] : [];
    this.add([title, table(names, fitting), ...more].join("\n\n"));
  }

  /** Adds one within the room that is kept for the end. */
  end(paragraph: string): void {
    this.add(paragraph, 0);
  }

  toString(): string {
    return this.#text;
  }
}

export interface PlanText {
  readonly seen: Seen;
  readonly refused: Refused | undefined;
  readonly subject: string;
  readonly tenant: string;
  /** Operations that would change something, removals first; read as far as they fit. */
  readonly changes: AsyncIterable<ChangedOperation>;
  /** The number of these operations. */
  readonly changed: number;
  /** The command that carries out the plan, and what comes before it; undefined if none may. */
  readonly next: { readonly lead: string; readonly command: string } | undefined;
  /** The command that shows all of it. */
  readonly more: string;
}

/** A plan as markdown for a comment: what it would remove, what would fail, and what would change. */
export async function planMarkdown({ seen, refused, ...plan }: PlanText): Promise<string> {
  const { task, unknown, causes } = seen;
  const text = new Paragraphs();
  text.add(heading("Plan of", plan.subject, plan.tenant));
  if (task === undefined) return text.toString();
  if (refused) text.add(`**${refusalText(refused)}**`);
  if (task.info !== null)
    text.add(`**The plan ended in error:** ${code(`${task.info.errorName}: ${task.info.error}`)}`);
  text.add(planSummary(task, unknown));
  const removals = removalsOf(task).map((row) => [code(row)]);
  text.addTable("### This would remove", ["What"], removals, longest / 4);
  const failures = causes
    .list()
    .map(({ kind, text: cause, count: number, examples }) => [
      `${count(number)} ${kind === "failure" ? "would fail" : "would be done in part"}`,
      cause === null ? "other causes" : code(cause),
      examples.map((index) => placeOf(seen, index)).join(", "),
    ]);
  text.addTable("### Failures", ["Operations", "Cause", "Such as"], failures, longest / 3);
  const shown = await addChanges(text, plan.changes);
  const left = plan.changed - shown;
  if (left > 0)
    text.end(
      `${counted(left, "changed operation")} of ${count(shown + left)} left out. For more: ${span(plan.more)}`,
    );
  if (plan.next) text.end(`${plan.next.lead}: ${span(plan.next.command)}`);
  return text.toString();
}

const heading = (what: string, file: string, tenant: string): string =>
  `## ${what} ${code(file)} for tenant ${code(tenant)}`;

/** `operation 3 (shop.json:12:9)` */
function placeOf({ problems }: Seen, index: number): string {
  const place = problems.find((problem) => problem.index === index)?.place;
  return `operation ${index}${place === undefined ? "" : ` (${code(place)})`}`;
}

/** Adds the changes of operations as long as they fit; returns the number of operations. */
async function addChanges(text: Paragraphs, changes: AsyncIterable<ChangedOperation>): Promise<number> {
  let shown = 0;
  for await (const operation of changes) {
    const block = changesOf(operation);
    if (!text.add(shown === 0 ? `### Changes\n\n${block}` : block)) break;
    shown++;
  }
  return shown;
}

function changesOf({ index, intent, ref, action, changes, unknownUntilApplied }: ChangedOperation): string {
  const name = ref === null ? "" : `, _ref ${html(ref)}`;
  const rows = (changes?.entities ?? []).flatMap(({ entity, key, action: change, values }) => {
    const keys = Object.entries(key as object).map(([property, value]) => `${property} ${shownValue(value)}`);
    const [sign] = signOf(change);
    return [
      [sign, `**${code(`${entity} ${keys.join(", ")}`)}**`, "", ""],
      ...values.map(({ pointer, before, after }) => [
        "",
        code(pointer),
        change === "created" ? "" : code(shownValue(before)),
        change === "deleted" ? "" : code(shownValue(after)),
      ]),
    ];
  });
  const unknowns = unknownUntilApplied.map((pointer) => ["", code(pointer), "", "unknown until applied"]);
  const all = [...rows, ...unknowns];
  const more = Math.max(0, all.length - mostRows) + (changes?.more ?? 0);
  return [
    `<details><summary>operation ${index}, ${html(intent)}${name}: ${action ?? "nothing"}</summary>`,
    table(["", "Value", "Before", "After"], all.slice(0, mostRows)),
    ...(more > 0 ? [counted(more, "more line")] : []),
    "</details>",
  ].join("\n\n");
}

/** The issues of a file that cannot be run, as markdown. */
export function issuesMarkdown(
  { issues, errorCount, warningCount }: Omit<FileReport, "lifetimes">,
  file: string,
  tenant: string,
): string {
  const text = new Paragraphs();
  text.add(heading("No plan of", file, tenant));
  text.add(
    `The file is invalid: ${counted(errorCount, "error")}, ${counted(warningCount, "warning")}. Nothing was sent.`,
  );
  const rows = issues.map(({ severity, message, pointer, operationIndex, intent, line, column }) => {
    const named = intent === null ? "" : `, ${code(intent)}`;
    const operation = operationIndex === null ? "" : `operation ${operationIndex}${named}`;
    return [[line, column].filter(Boolean).join(":"), operation, code(pointer), severity, code(message)];
  });
  const names = ["Line", "Operation", "Field", "", "Problem"];
  text.addTable("### Issues", names, rows, longest - 2 * reserved);
  const unlisted = errorCount + warningCount - issues.length;
  if (unlisted > 0) text.end(`${counted(unlisted, "issue")} more were found.`);
  return text.toString();
}

/** A sentence, and a command that follows it. */
export interface Advice {
  readonly text: string;
  readonly command?: string;
}

/** Sentences as markdown; commands are whole. */
export function textMarkdown(file: string, tenant: string, lines: readonly Advice[]): string {
  const text = new Paragraphs();
  text.add(heading("No plan of", file, tenant));
  for (const { text: sentence, command } of lines)
    text.end(`- ${code(sentence)}${command === undefined ? "" : ` ${span(plain(command))}`}`);
  return text.toString();
}
