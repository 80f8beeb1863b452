import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { graphqlRecords } from "../../scripts/graphql-schemas.ts";
import { codes, page, rows, section } from "./pages.ts";

const surfaces = rows(section(page("docs/versions.md"), "What is covered"));

test("each surface that docs/versions.md covers has a record that exists", () => {
  const records = surfaces.map(([surface, , record = ""]) => ({ surface, files: codes(record) }));
  expect(records.length).toBeGreaterThan(10);
  expect(
    records.filter(({ files }) => files.length === 0 || !files.every((file) => existsSync(file))),
  ).toEqual([]);
});

test.each(["cli", "schema", "transform"])(
  "docs/versions.md names what packages/%s exports, and each JSON Schema among it as a record",
  (folder) => {
    const { name, exports } = JSON.parse(page(`packages/${folder}/package.json`));
    const [, covered = "", record = ""] = surfaces.find(([surface]) => surface === `\`${name}\``) ?? [];
    const promised = Object.keys(exports).filter((entry) => !/^\.\/(?:internal|package\.json)/.test(entry));
    const named = codes(covered).map((entry) => (entry.startsWith("/") ? name + entry : entry));
    expect(named.sort()).toEqual(promised.map((entry) => join(name, entry)).sort());
    const schemas = promised.map((entry) => String(exports[entry])).filter((to) => /\.json$/.test(to));
    expect(codes(record)).toEqual([
      `packages/${folder}/api`,
      ...schemas.map((to) => join("packages", folder, to)),
    ]);
  },
);

test.each(Object.entries(graphqlRecords()))(
  "%s is the schema: `npm run generate` renews it, and what it removes or narrows needs a new major version",
  (file, text) => {
    expect(page(file)).toBe(text);
  },
);

test("pages and files to deploy name this version of the package and the image", () => {
  const workflow = "examples/git/.github/workflows/shop.yml";
  const paths = globSync(["README.md", "docs/*.md", "deploy/kubernetes/*.yaml", workflow]);
  const named = paths.flatMap((path) => page(path).match(/\blading[:@-]\d+\.\d+\.\d+\b/g) ?? []);
  expect(new Set(named.map((name) => name.slice("lading:".length)))).toEqual(new Set([manifest.version]));
  for (const path of [workflow, "docs/git.md"]) expect(page(path)).toContain(`lading@${manifest.version} `);
  expect(page("deploy/github-action/action.yml")).toContain(`    default: ${manifest.version}\n`);
});
