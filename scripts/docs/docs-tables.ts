import { issueCodes, operationHelpers, type ResultBranch, resultProperties } from "@lading/schema";
import { readResults } from "../../bench/results.ts";
import { codeOf, type ErrorName, errorNames } from "../../packages/service/src/errors.ts";
import { allSettings, type Setting, variablesOf } from "../../packages/service/src/settings/settings.ts";
import { dataIssueCodes } from "../../packages/transform/src/issues.ts";
import { readRecord } from "../../test/suites/record.ts";
import { intentMutationRows, otherMutationRows, queryRows } from "./api-tables.ts";
import { benchmarkTables } from "./benchmark-tables.ts";
import { cliReference } from "./cli-reference.ts";
import { excerptsOf } from "./excerpts.ts";
import { intentSections, typeSections } from "./intents-page.ts";
import { code, table } from "./markdown.ts";
import { openRoutesTable, rightsTable } from "./rights-table.ts";
import { scaleTables } from "./scale-tables.ts";
import { suiteTables, worstAttacks } from "./suite-tables.ts";

const commands = await cliReference();
const results = readResults();
const record = readRecord();
const suites = suiteTables(record);

/** The tables and excerpts of the documentation that follow from the code, by file and by the name of their marker. */
export const docsTables: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  "docs/api.md": {
    queries: () => table(["Query", "Arguments", "Answers", "What it is"], queryRows()),
    "mutations of intents": () => table(["Mutation", "Arguments", "Answers", "Intent"], intentMutationRows()),
    "other mutations": () => table(["Mutation", "Arguments", "Answers", "What it does"], otherMutationRows()),
  },
  "docs/benchmarks.md": benchmarkTables(results),
  "docs/convert.md": { "data issues": dataIssueTable },
  "docs/cli.md": { commands: () => commands },
  "docs/errors.md": { "error names": errorTable, "issue codes": issueTable },
  "docs/how-a-write-works.md": excerptsOf("docs/how-a-write-works.md"),
  "docs/intents.md": { intents: intentSections, types: typeSections },
  "docs/operations.md": { settings: settingsTable },
  "docs/scale.md": scaleTables(results),
  "docs/security.md": {
    ...{ rights: rightsTable, "routes without a token": openRoutesTable },
    "worst attacks": () => worstAttacks(record),
  },
  "docs/suites.md": { ...suites, verdict: () => wrapped(suites.verdict?.() ?? "") },
  "docs/results.md": { results: resultTable },
  "docs/templates.md": { helpers: helperTable },
};

/** Breaks a line after at most 120 characters, as the pages do. */
const wrapped = (line: string): string => line.replace(/(.{1,120})(?: |\n)/g, "$1\n");

/**
 * Returns a page with each of its tables updated. A table is between `<!-- name -->` and `<!-- end of name
 * -->`; throws if the page lacks one of the markers.
 */
export function withTables(file: string, page: string): string {
  let text = page;
  for (const [name, table] of Object.entries(docsTables[file] ?? {})) {
    const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`${file} lacks the markers of its table "${name}"`);
    text = `${text.slice(0, from)}${start}\n${table()}\n${text.slice(to)}`;
  }
  return text;
}

function errorTable(): string {
  const rows = Object.entries(errorNames).map(([name, { statusCode, meaning }]) => [
    code(name),
    String(statusCode),
    code(codeOf(name as ErrorName)),
    meaning,
  ]);
  return table(["Name", "Status", "Code", "Meaning"], rows);
}

function dataIssueTable(): string {
  const rows = Object.entries(dataIssueCodes).map(([name, meaning]) => [code(name), meaning]);
  return table(["Code", "Meaning"], rows);
}

function issueTable(): string {
  return table(
    ["Code", "Meaning"],
    Object.entries(issueCodes).map(([name, meaning]) => [code(name), meaning]),
  );
}

function helperTable(): string {
  const rows = Object.entries(operationHelpers).map(([name, takes]) => [
    code(name),
    takes.map(code).join(", "),
  ]);
  return table(["Helper", "Arguments"], rows);
}

function resultTable(): string {
  const rows = Object.entries(resultProperties).map(([intent, branches]) => [
    code(intent),
    branches.length === 1 ? properties(branches[0]!) : branches.map((each) => code(each.intent)).join(" or "),
  ]);
  return table(["Intent", "Result"], rows);
}

function settingsTable(): string {
  const rows = allSettings.map((setting) => [
    [setting.meaning, setting.kind.range].filter(Boolean).join("; "),
    setting.option === undefined ? "" : code(optionName(setting.option)),
    variablesOf(setting).map(code).join(" or "),
    defaultOf(setting),
  ]);
  return table(["Setting", "Option", "Environment", "Default"], rows);
}

/** `--port <port>` → `--port` */
const optionName = (option: string) => option.replace(/ .*/, "");

function defaultOf({ default: value, otherwise = "–" }: Setting): string {
  if (value === undefined) return otherwise;
  return [value].flat().map(String).map(code).join(", ") || "none";
}

const properties = ({ properties }: ResultBranch) =>
  properties.map((path) => code(path.join("."))).join(", ");
