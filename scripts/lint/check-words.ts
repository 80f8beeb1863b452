// Prints where comments, texts and pages break a rule of wording; with --count, the number per folder. Fails
// if there are any.
import { objections } from "./words.ts";

const found = objections();
if (process.argv.includes("--count")) {
  for (const [rule, ofRule] of Map.groupBy(found, ({ rule }) => rule)) {
    const folders = Map.groupBy(ofRule, ({ path }) => folderOf(path));
    const counts = [...folders].map(([folder, { length }]) => `${folder} ${length}`);
    console.log(`${rule}: ${ofRule.length} (${counts.join(", ")})`);
  }
} else {
  for (const { path, line, rule, text } of found)
    console.log(`${path}:${line}: ${rule}: ${text.slice(0, 120)}`);
}
if (found.length > 0) process.exitCode = 1;
else console.log("Checked the words of sources and pages.");

/** `packages/service/src/runner/execute/x.ts` → `packages/service/src/runner` */
function folderOf(path: string): string {
  return (
    path
      .split("/")
      .slice(0, -1)
      .slice(0, path.startsWith("packages/") ? 4 : 1)
      .join("/") || "pages"
  );
}
