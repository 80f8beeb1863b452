import { entityIdOf, type Referred } from "@lading/schema/internal";
import type { Pseudonyms } from "../anonymise/pseudonyms.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";
import type { Operation } from "../operation.ts";
import { type NamesOf, naturalNames } from "./names.ts";

/** Returns templates for ids of one kind; ids without a template are kept. */
type TemplatesOfIds = (
  kind: Referred | "version",
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/**
 * Returns the function that makes templates for the ids in some operations. Records entities that the operations create
 * without a key, and ids that don't exist, as omissions.
 */
export function naturalTemplates(
  dumped: DumpedTenant,
  pseudonyms: Pseudonyms | undefined,
): (operations: readonly Operation[]) => TemplatesOfIds {
  const { omissions } = dumped;
  const names = naturalNames(dumped, pseudonyms);
  return (operations) => {
    const created = createdBy(operations);
    return async (kind, ids) => {
      if (kind === "version") return versionNames(names.item, ids);
      const found = await names[kind](ids);
      const templates = new Map<string, string>();
      for (const id of ids) {
        const name = found.get(id);
        if (name !== undefined) templates.set(id, name.written);
        if (name === undefined) omissions.add("a reference to an id that does not exist", id);
        else if (name.isBare && created.has(id)) omissions.add(bare[kind] ?? bare.item, id);
      }
      return templates;
    };
  };
}

/** Replaces item ids in the names of versions. */
async function versionNames(namesOf: NamesOf, versions: readonly string[]): Promise<Map<string, string>> {
  const idOf = (version: string) => /[0-9a-f]{24}/.exec(version)?.[0] ?? "";
  const found = await namesOf(versions.map(idOf));
  return new Map(
    versions.map((version) => [version, version.replace(idOf(version), (id) => found.get(id)?.token ?? id)]),
  );
}

const again = "a tenant that has it from elsewhere gets a second one";
const bare: Partial<Record<Referred, string>> & { item: string } = {
  item: `a natural key, for an item without a resource identifier, unique external reference or SKU: ${again}`,
  topic: `a natural key, for a topic without a resource identifier or a path in its first language: ${again}`,
};

const createdBy = (operations: readonly Operation[]): ReadonlySet<string> =>
  new Set(
    operations
      .filter(({ intent }) => intent.endsWith("/upsert"))
      .flatMap(({ intent, fields }) => entityIdOf(intent, fields) ?? []),
  );
