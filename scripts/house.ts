// Prints the size and the casts of each module, and fails if there are too many casts, or unexplained ones.
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { castsIn } from "./lint/casts.ts";

const castsPerThousandLines = 4;

const files = globSync(["packages/*/src/**/*.{ts,tsx}", "{bench,scripts,test/support}/**/*.ts"])
  .toSorted()
  .map((path) => {
    const text = readFileSync(path, "utf8");
    return { path, lines: text.split("\n").length - 1, casts: castsIn(path, text) };
  });
type SourceFile = (typeof files)[number];

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

function figuresOf(files: readonly SourceFile[]) {
  const lines = sum(files.map(({ lines }) => lines));
  const casts = sum(files.map(({ casts }) => casts.length));
  return { files: files.length, lines, casts, perThousand: Math.round((casts / lines) * 10_000) / 10 };
}

/** `packages/service/src/runner/worker.ts` → `service/runner`; each of the other packages is one module. */
function moduleOf({ path }: SourceFile): string {
  const [first, second, , part] = path.split("/");
  if (first !== "packages") return dirname(path).startsWith("test") ? "test/support" : (first ?? "");
  return second === "service" && part && !part.endsWith(".ts") ? `service/${part}` : (second ?? "");
}

console.log("module                        files   lines  casts  per 1,000");
for (const [module, of] of [...Map.groupBy(files, moduleOf), ["all", files] as const]) {
  const { files, lines, casts, perThousand } = figuresOf(of);
  const cells = [String(files).padStart(6), String(lines).padStart(8), String(casts).padStart(7)];
  console.log(module.padEnd(29) + cells.join("") + String(perThousand).padStart(11));
}
const { perThousand } = figuresOf(files);
const wrong = [
  ...(perThousand > castsPerThousandLines ? [`${perThousand} casts per 1,000 lines`] : []),
  ...files.flatMap(({ path, casts }) =>
    casts
      .filter(({ isUnexplained }) => isUnexplained)
      .map(({ line, text }) => `${path}:${line}: no comment says why: ${text.split("\n")[0]?.slice(0, 80)}`),
  ),
];
console.log(`\n${wrong.length} against the habits of CONTRIBUTING.md`);
for (const line of wrong) console.log(`  ${line}`);
process.exit(wrong.length > 0 ? 1 : 0);
