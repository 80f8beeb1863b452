import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Node, parseSync } from "oxc-parser";
import { walk } from "./casts.ts";
import type { Source } from "./import-rules.ts";

interface Statement {
  path: string;
  line: number;
  /** The source of a text, followed by that of the constants that it interpolates. */
  text: string;
}

type Holds = (statement: Statement, tablesOfTenants: ReadonlySet<string>) => boolean;

const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** The tables that a statement writes; `$` for an interpolated name. */
const written = (text: string) =>
  names(text, /\b(?:INSERT INTO|DELETE FROM|(?<!\b(?:FOR|KEY|DO) )UPDATE) (\w+|\$(?=\{))/g);

const namesTenant = (text: string) => /\btenant_id\b/.test(text);

/** The conditions for a statement to be valid on a cluster, too. ADR 94 has the reasons. */
const rules: Readonly<Record<string, Holds>> = {
  "a write must name the tenant_id": ({ text }, tablesOfTenants) =>
    namesTenant(text) || written(text).every((table) => table !== "$" && !tablesOfTenants.has(table)),
  "a ctid is of one server: name the tenant_id, too": ({ path, text }) =>
    namesTenant(text) || !/\bctid\b(?! = \w+\.)/.test(text) || path.includes("/engines/"),
  "the clock and random numbers differ from server to server: use now(), statement_timestamp() or a parameter":
    ({ text }) => !/\b(clock_timestamp|timeofday|random|gen_random_uuid)\(/.test(text),
  "a write has no clock in CASE or coalesce: compare with it outside, or read it in a WITH": ({ text }) =>
    written(text).length === 0 ||
    !/(?:(?<!FOR |KEY )\bUPDATE|\bDELETE FROM)\b[^;]*\b(?:CASE\b(?:(?!\bEND\b)[^;])*|coalesce\([^)]*)\b(?:now|statement_timestamp)\(\)/.test(
      text,
    ),
  "a sequence, NOTIFY or an advisory lock must be a SELECT of its own": ({ text }) =>
    !/\b(nextval|pg_notify|pg_(try_)?advisory_\w+)\(/.test(text) ||
    (/^\W*SELECT\b/.test(text) && !/\b(FROM|JOIN) \w+\b(?!\()/.test(text)),
  "tasks end in end.ts and cancel.ts, which write what follows": ({ path, text }) =>
    !/\bended_at = /.test(text) || /\/bulk-tasks\/(end|cancel)\.ts$/.test(path),
};

/** The statements that break a rule, one line of text each. */
export function brokenSqlRules(sources: readonly Source[], migrations: readonly Source[]): string[] {
  const schema = migrations.map(({ text }) => text).join("\n");
  const tablesOfTenants = new Set(names(schema, /CREATE TABLE (\w+) \((?=[^;]*\btenant_id\b)/g));
  return statementsIn(sources).flatMap((statement) =>
    Object.entries(rules)
      .filter(([, holds]) => !holds(statement, tablesOfTenants))
      .map(([rule]) => `${statement.path}:${statement.line}: ${rule}`),
  );
}

/** From here on, migrations run on a cluster, too. */
const onClusters = "001000.sql";

/** The migrations that a cluster refuses, one line of text each. */
export const brokenMigrations = (migrations: readonly Source[]): string[] =>
  migrations
    .filter(({ path }) => path.slice(-onClusters.length) >= onClusters)
    .flatMap(({ path, text }) => [
      ...(/\bCREATE\b[^;]*\bTRIGGER\b/.test(text)
        ? [`${path}: a table with a trigger cannot be distributed`]
        : []),
      ...(path.endsWith(onClusters) ||
      !/\bALTER TABLE\b[^;]*(,\s*ADD CONSTRAINT|ADD CONSTRAINT[^;]*,\s*(ADD|ALTER|DROP))\b/.test(text)
        ? []
        : [`${path}: add a constraint by an ALTER TABLE of its own`]),
      // A cluster is sent the statements one by one.
      ...(/--[^\n]*;\s*$/m.test(text) || /\$\w+\$/.test(text)
        ? [`${path}: end no comment with a semicolon, and quote functions by $$`]
        : []),
    ]);

function statementsIn(sources: readonly Source[]): Statement[] {
  const files = sources.map((source) => ({ ...source, ...textsOf(source) }));
  const everywhere = new Map(files.flatMap(({ constants }) => [...constants]));
  return files.flatMap(({ path, text, texts, constants, imported }) => {
    const sourceOf = (name: string) =>
      constants.get(name) ?? (imported.has(name) ? everywhere.get(name) : undefined);
    const complete = (sql: string, seen: readonly string[] = []): string => {
      const interpolated = names(sql, /\$\{([^}]*)/g).flatMap((expression) => names(expression, /\b(\w+)/g));
      const sources = interpolated
        .filter((name) => !seen.includes(name))
        .map((name) => complete(sourceOf(name) ?? "", [...seen, name]));
      return [sql, ...sources].join("\n");
    };
    return texts.flatMap(({ start, end }) => {
      const line = text.slice(0, start).split("\n").length;
      const statements = text.slice(start, end).split(";");
      return statements.map((sql) => ({ path, line, text: complete(sql) }));
    });
  });
}

/** The outermost texts of a file, its constants with their source, and the names that it imports. */
function textsOf({ path, text }: Source) {
  const texts: Node[] = [];
  const constants = new Map<string, string>();
  const imported = new Set<string>();
  walk(parseSync(path, text).program, [], (node, ancestors) => {
    if (node.type === "ImportSpecifier") imported.add(node.local.name);
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init)
      constants.set(node.id.name, text.slice(node.init.start, node.init.end));
    if (isText(node) && !ancestors.some(isText)) texts.push(node);
  });
  return { texts, constants, imported };
}

/** True for a string, a template, and texts that are added. */
const isText = (node: Node): boolean =>
  node.type === "TemplateLiteral" ||
  (node.type === "Literal" && typeof node.value === "string") ||
  (node.type === "BinaryExpression" && node.operator === "+");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (pattern: string): Source[] =>
    globSync(pattern).map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(path, "utf8") }));
  const sources = read("packages/service/src/storage/**/*.ts");
  const migrations = read("packages/service/src/storage/migrations/*.sql");
  const broken = [...brokenSqlRules(sources, migrations), ...brokenMigrations(migrations)];
  for (const line of broken) console.error(line);
  if (broken.length > 0) process.exitCode = 1;
  else console.log(`Checked the SQL of ${sources.length} files.`);
}
