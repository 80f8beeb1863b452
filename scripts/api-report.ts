/**
 * `npm run api-report`: writes the declarations of each entry point of the built packages, rolled up and without
 * comments, into packages/<folder>/api. Run `npm run build` before. `test/release/packages.test.ts` compares them.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The types of payloads follow from mass-operation.schema.json, which is compared too. */
const payloads = /\/schema\/dist\/(?:intents|resources\/[\w-]+)\.js$/;
/** Comments, and the texts of settings. */
const forPeople = /^ *(?:\/\*\*.*?\*\/|readonly (?:meaning|otherwise): [^\n]+)\n/gms;
/** Notes about TypeScript 7, of which declarations as input need nothing. */
const quiet = { ...console, info: () => {}, warn: () => {} };
const internal = /"@lading\/\w+\/internal[^"]*"/;
const isCovered = (entry: string) => !/^\.\/internal(?:\/|$)/.test(entry);

/** The reports of what dist of a clone has, by path: an entry point is one that a manifest exports with its types. */
export async function apiReports(clone: string): Promise<Record<string, string>> {
  const reports: Record<string, string> = {};
  for (const manifest of globSync("dist/*/package.json", { cwd: clone })) {
    const folder = dirname(manifest);
    const { exports } = JSON.parse(readFileSync(join(clone, manifest), "utf8"));
    for (const [entry, target] of Object.entries<{ types?: string }>(exports))
      if (target.types !== undefined && isCovered(entry)) {
        const name = entry === "." ? "index" : basename(entry);
        reports[`packages/${basename(folder)}/api/${name}.d.ts`] = await report(
          clone,
          join(folder, target.types),
        );
      }
  }
  return reports;
}

async function report(cwd: string, declaration: string): Promise<string> {
  const build = await rolldown({
    cwd,
    input: declaration,
    external: (name) => /^[^./]/.test(name) || payloads.test(name),
    plugins: [dts({ dtsInput: true, tsconfig: "tsconfig.build.json", logger: quiet })],
  });
  const { output } = await build.generate();
  await build.close();
  const text = output.map((each) => (each.type === "chunk" ? each.code : "")).join("");
  const [promised] = internal.exec(text) ?? [];
  if (promised !== undefined)
    throw new Error(
      `${declaration} names types of ${promised}, which no version promises: mark them @internal`,
    );
  return `${text.replace(forPeople, "").trimEnd()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reports = await apiReports(root);
  for (const report of globSync("packages/*/api/*.d.ts", { cwd: root })) rmSync(join(root, report));
  for (const [path, text] of Object.entries(reports)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(path);
  }
}
