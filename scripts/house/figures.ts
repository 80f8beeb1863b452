import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { limits, listsOfOneKind } from "./limits.ts";
import { figuresOf, type SourceFigures } from "./source.ts";

export interface SourceFile extends SourceFigures {
  path: string;
}

/** The figures of all sources: packages, bench, scripts, and what supports the tests. */
export function sourceFiles(): SourceFile[] {
  return globSync(["packages/*/src/**/*.{ts,tsx}", "{bench,scripts,test/support}/**/*.ts"])
    .toSorted()
    .map((path) => ({ path, ...figuresOf(path, readFileSync(path, "utf8")) }));
}

/** Lines of text that say how many casts each module has, and how long its longest file and function are. */
export function tableOf(files: readonly SourceFile[]): string[] {
  const modules = [...Map.groupBy(files, ({ path }) => moduleOf(path)), ["all", files] as const];
  return [
    "module                        files   lines  casts  per 1,000  longest file  longest function",
    ...modules.map(([module, files]) => {
      const lines = sum(files.map(({ lines }) => lines));
      const casts = sum(files.map(({ casts }) => casts));
      const figures = [
        [files.length, 6],
        [lines, 8],
        [casts, 7],
        [perThousand(casts, lines), 11],
        [Math.max(...files.map(({ lines }) => lines)), 14],
        [Math.max(0, ...files.flatMap(({ functions }) => functions.map(({ lines }) => lines))), 18],
      ] as const;
      return module.padEnd(29) + figures.map(([figure, width]) => String(figure).padStart(width)).join("");
    }),
  ];
}

/** Everything beyond a limit, one line of text each. */
export function excesses(files: readonly SourceFile[]): string[] {
  const lines = sum(files.map(({ lines }) => lines));
  const casts = perThousand(sum(files.map(({ casts }) => casts)), lines);
  const any = files.flatMap(({ path, any }) => any.map(({ line }) => `${path}:${line}: any`));
  return [
    ...(casts > limits.castsPerThousandLines ? [`${casts} casts per 1,000 lines`] : []),
    ...(any.length > limits.any ? any : []),
    ...files.flatMap(({ path, unexplained }) =>
      unexplained.map(({ line, text }) => `${path}:${line}: no comment says why: ${firstLine(text)}`),
    ),
    ...files
      .filter(({ lines }) => lines > limits.fileLines)
      .map(({ path, lines }) => `${path}: ${lines} lines`),
    ...files.flatMap(({ path, functions }) =>
      functions
        .filter(({ lines }) => lines > limits.functionLines)
        .map(({ line, lines }) => `${path}:${line}: a function of ${lines} lines`),
    ),
    ...largeFolders(),
  ];
}

function largeFolders(): string[] {
  const files = globSync(["packages/*/{src,test}/**/*", "{bench,scripts,test,docs}/**/*"]);
  return [...new Set(files.map((path) => dirname(path)))]
    .toSorted()
    .filter((folder) => !listsOfOneKind.some((list) => list.test(folder)))
    .map((folder) => ({ folder, entries: readdirSync(folder).length }))
    .filter(({ entries }) => entries > limits.folderEntries)
    .map(({ folder, entries }) => `${folder}: ${entries} entries`);
}

/** `packages/service/src/runner/worker.ts` → `service/runner`; each of the other packages is one module. */
function moduleOf(path: string): string {
  const [first, second, , part] = path.split("/");
  if (first !== "packages") return dirname(path).startsWith("test") ? "test/support" : (first ?? "");
  return second === "service" && part && !part.endsWith(".ts") ? `service/${part}` : (second ?? "");
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const perThousand = (count: number, lines: number) => Math.round((count / lines) * 10_000) / 10;
const firstLine = (text: string) => text.split("\n")[0]?.slice(0, 80);
