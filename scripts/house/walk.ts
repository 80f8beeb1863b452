import { readFileSync } from "node:fs";
import { type Counts, runUnderCoverage } from "./coverage.ts";
import { limits, walkParts } from "./limits.ts";

const page = "ARCHITECTURE.md";

/** One step of the walk: a file, such as `service/src/app.ts`, and the functions of it that a reader follows. */
export interface Step {
  file: string;
  functions: string[];
}

/**
 * Compares the walk that ARCHITECTURE.md describes with what runs for one `product/upsert`. Returns what is wrong, one
 * line of text each.
 */
export async function wrongSteps(): Promise<string[]> {
  const steps = stepsOf(readFileSync(page, "utf8"));
  const { ran, eachTime } = await runUnderCoverage();
  console.log(
    `${walked(eachTime).length} files run for each product/upsert, ${steps.length} are on the walk`,
  );
  return differences(steps, ran, eachTime);
}

/** The mistakes of a walk, given the functions that ran at all, and those that ran for each operation. */
export function differences(steps: readonly Step[], ran: Counts, eachTime: Counts): string[] {
  const listed = new Set(steps.map(({ file }) => file));
  return [
    ...(steps.length > limits.walkFiles ? [`${page}: the walk has ${steps.length} files`] : []),
    ...walked(eachTime)
      .filter(([file]) => !listed.has(file))
      .map(
        ([file, functions]) => `${file} runs (${[...functions.keys()].join(", ")}) and is not on the walk`,
      ),
    ...steps.flatMap(({ file, functions }) =>
      functions
        .filter((name) => !ran.get(file)?.has(name))
        .map((name) => `${page}: ${name} of ${file} does not run for a product/upsert`),
    ),
  ];
}

/** The steps of the numbered list between the page's markers: "1. `service/src/app.ts` `name`, `name`: …". */
export function stepsOf(text: string): Step[] {
  const list = /<!-- walk -->\n([\s\S]*?)<!-- end of walk -->/.exec(text)?.[1];
  if (list === undefined) throw new Error(`${page} lacks the markers of the walk`);
  return [...list.matchAll(/^\d+\. `([^`]+\.ts)` ((?:`[^`]+`(?:, )?)+)/gm)].map(
    ([, file = "", names = ""]) => ({
      file: file.replace(/^(\w+)\//, "$1/src/"),
      functions: [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    }),
  );
}

const walked = (counts: Counts) =>
  [...counts].filter(([file]) => walkParts.some((part) => file.startsWith(`service/src/${part}/`)));
