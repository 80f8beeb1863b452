import { type DumpKind, dumpKinds } from "@lading/schema/internal";
import type { Database } from "../../storage/database.ts";
import { type IsMoved, movedSkus as readMovedSkus } from "../../storage/pages/moved-skus.ts";
import { type Snapshot, type SnapshotRefusal, takeSnapshot } from "../../storage/pages/snapshot.ts";
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

/** The services a dump needs. */
export interface DumpServices {
  readonly database: Database;
  /** Returns the public URL of an image by its key. */
  readonly imageUrl: (key: string) => string;
  readonly dumpReaders: Readonly<Record<DumpKind, ReadKind>>;
}

export interface DumpOptions {
  /** The kinds of operations to include. */
  readonly only?: readonly DumpKind[];
  /** Replaces personal data. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** The form of ids: unchanged (default), or natural keys, which are also valid in other tenants. */
  readonly ids?: IdForm | undefined;
}

/** The forms of ids; the first is the default. */
export const idForms = ["keep", "natural"] as const;
export type IdForm = (typeof idForms)[number];

/**
 * Starts a tenant's dump: the text of a mass operation file with one operation per line, followed by `report`, the data
 * that no operation can write. The caller must read it to the end or call `return`.
 */
export async function beginDump(
  services: DumpServices,
  tenantId: string,
  options: DumpOptions = {},
): Promise<AsyncGenerator<string> | SnapshotRefusal> {
  const snapshot = await takeSnapshot(services.database, tenantId, "dump");
  return typeof snapshot === "string" ? snapshot : started(fileText(services, tenantId, snapshot, options));
}

/** Starts a generator, so that `return` runs its `finally` blocks. */
export async function started(text: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
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
    let moved: Promise<IsMoved> | undefined;
    const movedSkus = () => {
      moved ??= snapshot.page((queries) => readMovedSkus(queries, tenantId));
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

const unregistered = "an image that is not registered; its key means nothing in another tenant";

/** Returns a function that makes `upload` templates for images: other tenants store them under other keys. */
const imageTemplates =
  ({ imageUrl }: DumpServices, { tenant, page, omissions }: DumpedTenant) =>
  async (keys: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const images = await page((queries) => imagesByKey(queries, tenant.id, keys));
    for (const key of keys) if (!images.has(key)) omissions.add(unregistered, key);
    return new Map(
      [...images.values()].map(({ key, sha256 }) => [
        key,
        sha256 === null
          ? `{{ upload "${imageUrl(key)}" }}`
          : `{{ upload "${imageUrl(key)}" sha256="${sha256}" }}`,
      ]),
    );
  };
