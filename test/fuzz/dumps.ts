import fc from "fast-check";
import type { Omission } from "../../packages/service/src/domain/dump/omissions.ts";
import { openPgliteInMemory } from "../../packages/service/src/storage/engines/pglite.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import {
  dumpOf,
  failuresIn,
  logOf,
  newTenant,
  run,
  sourceFile,
  wholeDumpOf,
  withoutReport,
} from "../dump/bench-tenants.ts";
import { changes } from "../dump/generated-tenants.ts";
import { startPostgres } from "../support/postgres/postgres.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";
import type { Finding } from "./fuzz.ts";

interface Rounds {
  readonly seed: number;
  /** Tenants that are made at random. */
  readonly rounds: number;
  /** Called with progress from time to time. */
  onProgress?(text: string): void;
}

/** Groups of operations that make each tenant what it is. */
const changesEach = 60;

/** Dumps random tenants on both engines; returns the rounds in which a dump did not recreate its tenant. */
export async function dumpRounds(choice: Rounds): Promise<Finding[]> {
  const server = await startPostgres();
  const postgres = async () => {
    const database = openPostgres(server.url);
    await migrate(database);
    return database;
  };
  const findings: Finding[] = [];
  try {
    for (const open of [openPgliteInMemory, postgres]) {
      const bench = await openRunnerBench(() => open());
      await bench.runner();
      findings.push(...(await dumpRoundsOn(bench, choice).finally(() => bench.close())));
    }
  } finally {
    await server.stop();
  }
  return findings;
}

/** The same on a bench whose runner works already. */
export async function dumpRoundsOn(
  bench: RunnerBench,
  { seed, rounds, onProgress }: Rounds,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let i = 0; i < rounds; i++) {
    for (const what of await dumpRound(bench, seed + i))
      findings.push({ what, input: `a tenant of seed ${seed + i}, on ${bench.database.engine}` });
    if (i % 10 === 9) onProgress?.(`${i + 1} tenants dumped, ${findings.length} findings`);
  }
  return findings;
}

async function dumpRound(bench: RunnerBench, seed: number): Promise<string[]> {
  const [operations = []] = fc.sample(changes(changesEach), { seed, numRuns: 1 });
  const source = await newTenant(bench);
  await run(bench, source, sourceFile(source, operations));
  const natural = await dumpOf(bench, source, { ids: "natural" });
  const whole = await wholeDumpOf(bench, source);
  const dump = withoutReport(whole);
  const target = await newTenant(bench);
  const planned = await plannedIn(bench, whole, source);
  const made = [
    ...(await madeAgain(bench, { dump, source, target })),
    ...(await madeAgain(bench, { dump, source, target: source })),
    ...(await madeByNaturalKeys(bench, natural, source)),
  ];
  return [...planned, ...made, ...(made.length === 0 ? wronglyReported(whole) : [])];
}

/** Finds what a dump reports to fail although nothing did. */
const wronglyReported = (whole: string): string[] =>
  reportOf(whole)
    .filter(({ what }) => what.includes("breaks a rule"))
    .map((omission) => `nothing failed, but reported: ${JSON.stringify(omission)}`);

const reportOf = (whole: string): readonly Omission[] => JSON.parse(whole).report ?? [];

/** Plans a dump in its own tenant; returns unexplained changes. */
async function plannedIn(bench: RunnerBench, whole: string, source: Tenant): Promise<string[]> {
  const log = await logOf(bench, source, withoutReport(whole), "plan");
  const nameless = await namelessIn(bench, source);
  const edited = await editedSincePublished(bench, source);
  const isOrphaned = orphanedIn(reportOf(whole), log);
  return changedIn(log)
    .filter((entry) => !nameless.has(itemOf(entry)) && !isOrphaned(itemOf(entry)))
    .filter((entry) => entry.action !== "published" || !edited.has(versionOf(entry)))
    .map((entry) => `planned in its own tenant: ${textOf(entry)}`);
}

interface Making {
  readonly dump: string;
  readonly source: Tenant;
  readonly target: Tenant;
}

async function madeAgain(bench: RunnerBench, { dump, source, target }: Making): Promise<string[]> {
  const where = source === target ? "its own tenant" : "an empty tenant";
  const failures = await run(bench, target, dump);
  const again = (await dumpOf(bench, target)).replaceAll(target.id, source.id);
  return [
    ...failures.map((failure) => `run in ${where}: ${failure}`),
    ...differences(again, dump).map((line) => `dumped again in ${where}: ${line}`),
  ];
}

/** Runs a dump by natural keys in an empty tenant, twice: the second time it is the dump of that tenant. */
async function madeByNaturalKeys(bench: RunnerBench, dump: string, source: Tenant): Promise<string[]> {
  const target = await newTenant(bench);
  const found: string[] = [];
  for (const time of ["first", "second"]) {
    const log = await logOf(bench, target, dump);
    const again = (await dumpOf(bench, target, { ids: "natural" })).replaceAll(target.id, source.id);
    const changed = time === "first" ? [] : changedIn(log);
    found.push(
      ...failuresIn(log).map((failure) => `by natural keys, the ${time} time: ${failure}`),
      ...changed.map((entry) => `by natural keys, the second time: ${textOf(entry)}`),
      ...differences(again, dump).map((line) => `by natural keys, dumped the ${time} time: ${line}`),
    );
  }
  return found;
}

type Entry = Awaited<ReturnType<typeof logOf>>[number];

const fieldOf = ({ command, input }: Entry, field: string): unknown =>
  Reflect.get((command ?? input) as object, field);
const itemOf = (entry: Entry) => String(fieldOf(entry, "itemId"));
const versionOf = (entry: Entry) => `${itemOf(entry)} ${fieldOf(entry, "language")}`;
const textOf = ({ intent, action, message, input }: Entry) =>
  `${intent}: ${action ?? message} ${JSON.stringify(input)}`;

/**
 * The operations that changed something, but those of items that get a version twice, as a published one that is not
 * the draft, or first without SKUs that moved; and those that lift the rule of a stock location and restore it, which
 * say no location.
 */
function changedIn(log: readonly Entry[]): Entry[] {
  const [written, twice] = [new Set<string>(), new Set<string>()];
  for (const entry of log.filter(({ intent }) => intent !== "item/publish")) {
    if (written.has(versionOf(entry))) twice.add(itemOf(entry));
    written.add(versionOf(entry));
  }
  return log.filter(
    (entry) =>
      entry.action !== "unchanged" &&
      !twice.has(itemOf(entry)) &&
      !(entry.intent === "stockLocation/upsert" && fieldOf(entry, "position") === undefined),
  );
}

/** Tells of which items a dump reports orphaned content: it names five of a shape at most, and counts the others. */
function orphanedIn(report: readonly Omission[], log: readonly Entry[]): (itemId: string) => boolean {
  const shapes = new Map(
    log
      .map((entry) => [itemOf(entry), fieldOf(entry, "shapeIdentifier")] as const)
      .filter(([, shape]) => shape),
  );
  const orphaned = report.filter(({ what }) => what.startsWith("orphaned content"));
  return (itemId) =>
    orphaned.some(
      ({ examples, count, shape }) =>
        examples.includes(itemId) || (count > examples.length && shape === shapes.get(itemId)),
    );
}

/** The products of a tenant with a variant that has no name in one of their languages. */
async function namelessIn({ database }: RunnerBench, { id }: Tenant): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>(
    `SELECT v.product_id AS id FROM product_variants v
     JOIN item_contents c ON c.tenant_id = v.tenant_id AND c.item_id = v.product_id
     WHERE v.tenant_id = $1 AND v.contents::jsonb -> c.language ->> 'name' IS NULL`,
    [id],
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * The items, with a language, whose draft is a newer version than the published one. Where it was changed back since,
 * the contents are the same, and a dump has one version of it; publishing still publishes the newer one.
 */
async function editedSincePublished({ database }: RunnerBench, { id }: Tenant): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string; language: string }>(
    `SELECT d.item_id AS id, d.language FROM item_contents d
     JOIN item_contents p ON p.tenant_id = d.tenant_id AND p.item_id = d.item_id AND p.language = d.language
     WHERE d.tenant_id = $1 AND d.version = 'draft' AND p.version = 'published' AND d.version_id <> p.version_id`,
    [id],
  );
  return new Set(rows.map((row) => `${row.id} ${row.language}`));
}

/** The lines that only one of two dumps has; or that the order of lines differs. */
function differences(after: string, before: string): string[] {
  if (after === before) return [];
  const lines = (text: string) => text.split("\n").map((line) => line.replace(/,$/, ""));
  const only = (text: string, other: string) => {
    const known = new Set(lines(other));
    return lines(text).filter((line) => !known.has(line));
  };
  const found = [
    ...only(before, after).map((line) => `- ${line}`),
    ...only(after, before).map((line) => `+ ${line}`),
  ];
  return found.length === 0 ? ["lines are in another order"] : found;
}
