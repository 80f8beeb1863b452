import { globSync, readFileSync } from "node:fs";
import { importCircles } from "./import-circles.ts";
import { wrongImports } from "./import-rules.ts";
import { misplacedSql } from "./sql-rule.ts";

const sources = globSync("packages/*/src/**/*.{ts,tsx}").map((path) => ({
  path: path.replaceAll("\\", "/"),
  text: readFileSync(path, "utf8"),
}));
const wrong = [...wrongImports(sources), ...importCircles(sources), ...misplacedSql(sources)];
for (const line of wrong) console.error(line);
if (wrong.length > 0) process.exitCode = 1;
else console.log(`Checked the imports of ${sources.length} files.`);
