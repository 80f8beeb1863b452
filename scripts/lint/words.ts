import { globSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { wordList } from "./word-list.ts";

/** A position a rule objects to. */
export interface Objection {
  rule: string;
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

/** Generated or measured pages, and packages of others. */
const notOurs = /^(docs\/(intents|hostile)\.md|node_modules\/|.*\/node_modules\/|packages\/\w+\/generated\/)/;

/** Outside pages, line length is limited only in comments: the formatter breaks the rest of code. */
const isComment = /^\s*(?:\/?\*|\/\/|--|#\s)/;

export function objections(): Objection[] {
  return [
    ...inFiles(inCode, ["{packages,test,bench,scripts,examples}/**/*.{ts,tsx,mjs}", "*.ts"]),
    ...inFiles(inPage, ["*.md", "{docs,examples,packages}/**/*.md"]),
    ...inFiles(inText, [
      "packages/**/*.{sql,css}",
      "deploy/{Containerfile,**/*.*}",
      ".github/**/*.yml",
      "examples/**/*.json",
    ]),
  ];
}

const inFiles = (check: (path: string, text: string) => Objection[], patterns: string[]): Objection[] =>
  globSync(patterns)
    .filter((path) => !notOurs.test(path))
    .flatMap((path) => check(path, readFileSync(path, "utf8")));

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
    ...inText(path, text),
  ];
}

/** Objections to a file as a whole, whatever its language. */
export const inText = (path: string, text: string): Objection[] =>
  inLines(path, text, (line) => isComment.test(line));

/** Objections to a page; tables, examples and lists of links may have long lines. */
export function inPage(path: string, text: string): Objection[] {
  const examples = new Set([...text.matchAll(/^```[\s\S]*?^```/gm)].flatMap(([block]) => block.split("\n")));
  return inLines(path, text, (line) => !/^\||^\d+\. \[/.test(line) && !examples.has(line));
}

/** Allows correct English: "there is no key", "no longer", "no more than". */
const isNo = /(?<!\bthere )\bis no (?!longer\b|more\b|less\b|fewer\b)/i;

function inLines(path: string, text: string, limited: (line: string) => boolean): Objection[] {
  return text.split("\n").flatMap((line, i) => {
    const position = { path, line: i + 1, text: line.trim() };
    return [
      ...(isNo.test(line) ? [{ rule: '"is not a" instead of "is no"', ...position }] : []),
      ...wordList
        .filter(([pattern]) => pattern.test(line))
        .map(([{ source }, better]) => ({ rule: `${source} → ${better}`, ...position })),
      ...(line.length > 120 && limited(line) ? [{ rule: "at most 120 characters a line", ...position }] : []),
    ];
  });
}
