import { type DumpKind, dumpKinds } from "@lading/schema";
import type { Database } from "../../storage/database.ts";
import { movedSkus as readMovedSkus } from "../../storage/pages/moved-skus.ts";
import { mostSnapshots, openSnapshot, type Snapshot } from "../../storage/pages/snapshot.ts";
import { imagesByKey } from "../../storage/queries/images.ts";
import { tenantById } from "../../storage/tenants/find.ts";
import { readAhead } from "./ahead.ts";
import { anonymiser } from "./anonymise/anonymise.ts";
import type { Pseudonyms } from "./anonymise/pseudonyms.ts";
import type { DumpedTenant, ReadKind } from "./dumped-tenant.ts";
import { lineWriter, replaceMarked, type TemplatesOf } from "./line.ts";
import { naturalTemplates } from "./natural/templates.ts";
import { Omissions } from "./omissions.ts";
import type { Operation } from "./operation.ts";

/** Services that a dump needs. */
export interface DumpServices {
  readonly database: Database;
  /** Makes the public address of an image from its key. */
  readonly imageUrl: (key: string) => string;
  readonly dumpReaders: Readonly<Record<DumpKind, ReadKind>>;
}

export interface DumpOptions {
  /** Only these kinds of operations. */
  readonly only?: readonly DumpKind[];
  /** Replace personal data. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** The form of ids: as they are (default), or natural keys, which are valid in other tenants too. */
  readonly ids?: IdForm | undefined;
}

/** The forms of ids in a dump; the first is the default. */
export const idForms = ["keep", "natural"] as const;
export type IdForm = (typeof idForms)[number];

/** Reasons to refuse a dump: the tenant has one, or the process is at its limit. */
export type DumpRefusal = "TenantHasOne" | "TooMany";

/** The tenants that this process is dumping. */
const running = new Set<string>();

/**
 * Begins the dump of a tenant: its text is a mass operation file with one operation per line, and data that no
 * operation can write as `report` after the operations. The caller must read it to its end, or call `return`.
 */
export async function beginDump(
  services: DumpServices,
  tenantId: string,
  options: DumpOptions = {},
): Promise<AsyncGenerator<string> | DumpRefusal> {
  if (running.has(tenantId)) return "TenantHasOne";
  if (running.size >= mostSnapshots) return "TooMany";
  running.add(tenantId);
  try {
    const snapshot = await openSnapshot(services.database, tenantId);
    if (snapshot !== undefined) return started(fileText(services, tenantId, snapshot, options));
  } catch (error) {
    running.delete(tenantId);
    throw error;
  }
  running.delete(tenantId);
  return "TenantHasOne";
}

/** Runs a generator up to its first value, so that `return` runs what it does at its end. */
async function started(text: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  await text.next();
  return text;
}

async function* fileText(
  services: DumpServices,
  tenantId: string,
  snapshot: Snapshot,
  options: DumpOptions,
): AsyncGenerator<string> {
  try {
    yield "";
    const tenant = await snapshot.page((queries) => tenantById(queries, tenantId));
    const isNatural = options.ids === "natural";
    let moved: Promise<ReadonlySet<string>> | undefined;
    const movedSkus = () => {
      moved ??= snapshot.page(async (queries) => new Set(await readMovedSkus(queries, tenantId)));
      return moved;
    };
    const dumped = { tenant, page: snapshot.page, omissions: new Omissions(), isNatural, movedSkus };
    const write = lineWriter(tenant, isNatural);
    const images = imageTemplates(services, dumped);
    const names = naturalTemplates(dumped, options.pseudonyms);
    yield '{"version":"1.0.0","operations":[';
    let separator = "\n";
    for await (const operations of pages(services, dumped, options)) {
      for (const { fields } of operations) dumped.omissions.addKeys(fields);
      const named = names(operations);
      const lines = operations.map(write).join(",\n");
      const templatesOf: TemplatesOf = (kind, values) =>
        kind === "image" ? images(values) : named(kind, values);
      yield separator + (await replaceMarked(lines, templatesOf));
      separator = ",\n";
    }
    const report = dumped.omissions.list();
    yield report.length === 0 ? "\n]}\n" : `\n],"report":${JSON.stringify(report)}}\n`;
  } finally {
    running.delete(tenantId);
    await snapshot.close();
  }
}

async function* pages(
  { dumpReaders }: DumpServices,
  dumped: DumpedTenant,
  { only = dumpKinds, pseudonyms }: DumpOptions,
): AsyncGenerator<readonly Operation[]> {
  const change = pseudonyms === undefined ? undefined : anonymiser(pseudonyms);
  for (const kind of dumpKinds.filter((kind) => only.includes(kind)))
    for await (const operations of readAhead(dumpReaders[kind](dumped)))
      if (operations.length > 0) yield change === undefined ? operations : operations.map(change);
}

/** Makes the function that gives templates which upload images: another tenant has them under other keys. */
const imageTemplates =
  ({ imageUrl }: DumpServices, { tenant, page }: DumpedTenant) =>
  async (keys: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const images = await page((queries) => imagesByKey(queries, tenant.id, keys));
    return new Map(
      [...images.values()].map(({ key, sha256 }) => [
        key,
        sha256 === null
          ? `{{ upload "${imageUrl(key)}" }}`
          : `{{ upload "${imageUrl(key)}" sha256="${sha256}" }}`,
      ]),
    );
  };
