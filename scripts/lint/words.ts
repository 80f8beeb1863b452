import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { wordList } from "./word-list.ts";

/** A place that a rule objects to. */
export interface Objection {
  rule: string;
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

/** Pages that are generated or measured, and packages of others. */
const notOurs = /^(docs\/(intents|hostile)\.md|node_modules\/|.*\/node_modules\/|packages\/\w+\/generated\/)/;

/** In code only comments are held to the length of a line: the formatter breaks what else can be broken. */
const isComment = /^\s*(?:\/?\*|\/\/)/;

export function objections(): Objection[] {
  const code = globSync(["{packages,test,bench,scripts}/**/*.{ts,tsx,mjs}", "*.ts"]);
  const pages = globSync(["*.md", "{docs,examples,packages}/**/*.md"]);
  return [
    ...code.filter((path) => !notOurs.test(path)).flatMap((path) => inCode(path, readFileSync(path, "utf8"))),
    ...pages
      .filter((path) => !notOurs.test(path))
      .flatMap((path) => inPage(path, readFileSync(path, "utf8"))),
  ];
}

export function inCode(path: string, text: string): Objection[] {
  const { comments } = parseSync(path, text);
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const docs = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"));
  return [
    ...docs
      .filter(({ value }) => /^\*\s*(?:\*\s*)?(?:What|Whether|How|Who)\b/.test(value))
      .map(({ start, value }) => ({
        ...{ rule: "a doc comment begins with a verb or a noun phrase", path },
        ...{ line: lineAt(start), text: value.slice(1).trim() },
      })),
    ...inLines(path, text, (line) => isComment.test(line)),
  ];
}

/** Objections to a page; tables, examples and lists of links may have long lines. */
export function inPage(path: string, text: string): Objection[] {
  const examples = new Set([...text.matchAll(/^```[\s\S]*?^```/gm)].flatMap(([block]) => block.split("\n")));
  return inLines(path, text, (line) => !/^\||^\d+\. \[/.test(line) && !examples.has(line));
}

/** Leaves alone what is English: "there is no key", "no longer", "no more than". */
const isNo = /(?<!\bthere )\bis no (?!longer\b|more\b|less\b|fewer\b)/i;

/** The parts of the repository that are held to the word list. */
const held: readonly string[] = [
  "packages/service/src/app",
  "packages/service/src/commands",
  "packages/service/src/errors.ts",
  "packages/service/src/graphql",
  "packages/service/src/http",
  "packages/service/src/media",
  "packages/service/src/responses",
  "packages/service/src/settings",
  "packages/service/src/system",
  "packages/service/src/telemetry",
  "packages/service/src/template-helpers",
  "packages/service/src/templates",
  "packages/service/src/tenants",
  "packages/service/src/uploads",
  "packages/service/src/webhooks",
  "packages/service/src/domain/command.ts",
  "packages/service/src/domain/content",
  "packages/service/src/domain/customer",
  "packages/service/src/domain/flow",
  "packages/service/src/domain/image",
  "packages/service/src/domain/item",
  "packages/service/src/domain/merge.ts",
  "packages/service/src/domain/order",
  "packages/service/src/domain/path",
  "packages/service/src/domain/payload",
  "packages/service/src/domain/price-list",
  "packages/service/src/domain/settings",
  "packages/service/src/domain/shape",
  "packages/service/src/domain/subscription-contract",
  "packages/service/src/domain/topic",
  "packages/service/src/domain/tree.ts",
  "packages/service/src/domain/variant",
  "packages/service/src/domain/write-commands.ts",
  "packages/service/src/runner/execute",
  "packages/service/src/runner/images",
  "packages/service/src/runner/kinds",
  "packages/service/src/runner/plan",
  "packages/service/src/runner/schedule",
  "packages/service/src/runner/services.ts",
  "packages/service/src/runner/task-log.ts",
  "packages/service/src/runner/task-stop.ts",
  "packages/service/src/runner/telemetry.ts",
  "packages/service/src/runner/validate",
  "packages/service/src/storage/collections",
  "packages/service/src/storage/database.ts",
  "packages/service/src/storage/engines",
  "packages/service/src/storage/ids.ts",
  "packages/service/src/storage/migrate.ts",
  "packages/service/src/storage/move",
  "packages/service/src/storage/overlay",
  "packages/service/src/storage/pages",
  "packages/service/src/storage/queries",
  "packages/service/src/storage/retry.ts",
  "packages/service/src/storage/session.ts",
  "packages/service/src/storage/sql-states.ts",
  "packages/service/src/storage/statistics.ts",
  "packages/service/src/storage/task-details",
  "packages/service/src/storage/tenant-",
  "packages/service/src/storage/tenants",
  "packages/service/src/storage/unit-of-work",
  "packages/service/src/storage/webhooks",
  "packages/service/test",
];

function inLines(path: string, text: string, limited: (line: string) => boolean): Objection[] {
  const words = held.some((folder) => path.startsWith(folder)) ? wordList : [];
  return text.split("\n").flatMap((line, i) => {
    const place = { path, line: i + 1, text: line.trim() };
    return [
      ...(isNo.test(line) ? [{ rule: '"is not a" instead of "is no"', ...place }] : []),
      ...words
        .filter(([pattern]) => pattern.test(line))
        .map(([{ source }, better]) => ({ rule: `${source} → ${better}`, ...place })),
      ...(line.length > 120 && limited(line) ? [{ rule: "at most 120 characters a line", ...place }] : []),
    ];
  });
}
