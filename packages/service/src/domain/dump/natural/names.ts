import type { Referred } from "@lading/schema/internal";
import { initialVatType } from "@lading/schema/internal";
import { identifiersOf } from "../../../storage/pages/natural-keys.ts";
import { type NamedEntry, namedEntries } from "../../settings/natural-keys.ts";
import { personalFields } from "../anonymise/personal-fields.ts";
import type { Pseudonyms } from "../anonymise/pseudonyms.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";
import { ItemNames } from "./items.ts";
import { type Named, namedBy } from "./key.ts";
import { TopicNames } from "./topics.ts";

type Source = Pick<DumpedTenant, "tenant" | "page" | "movedSkus">;

/** Names entities of one kind; ids that don't exist are omitted. */
export type NamesOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, Named>>;

/** Returns the functions that name entities referred to by id. `pseudonyms` is set for an anonymised dump. */
export function naturalNames(
  source: Source,
  pseudonyms: Pseudonyms | undefined,
): Readonly<Record<Referred, NamesOf>> {
  const [items, topics] = [new ItemNames(source), new TopicNames(source)];
  return {
    item: (ids) => items.of(ids),
    topic: (ids) => topics.of(ids),
    order: (ids) => namedRows(source, "order", ids, pseudonyms),
    contract: (ids) => namedRows(source, "contract", ids, pseudonyms),
    vatType: inSettings(source, "vatType"),
    orderPipeline: inSettings(source, "orderPipeline"),
    pipelineStage: inSettings(source, "pipelineStage"),
    planPart: inSettings(source, "planPeriod", "meteredVariable"),
  };
}

const tables = { order: "orders", contract: "subscription_contracts" } as const;

/** Names orders or contracts by resource identifier; those without one keep their id, which people know. */
async function namedRows(
  { tenant, page }: Source,
  kind: keyof typeof tables,
  ids: readonly string[],
  pseudonyms: Pseudonyms | undefined,
): Promise<Map<string, Named>> {
  const replace = personalFields[kind]?.resourceIdentifier;
  const rows = await page((queries) => identifiersOf(queries, tenant.id, tables[kind], ids));
  return new Map(
    rows.map(({ id, resourceIdentifier }) => {
      const written =
        resourceIdentifier && pseudonyms && replace
          ? replace(resourceIdentifier, pseudonyms, {})
          : resourceIdentifier;
      const name = written ? namedBy([kind, "resourceIdentifier", written]) : undefined;
      return [id, name ?? { written: id, token: id }];
    }),
  );
}

/** Names settings by names that are unique in their list. */
function inSettings({ tenant }: Source, ...kinds: (keyof typeof namedEntries)[]): NamesOf {
  const names = new Map<string, Named>();
  for (const kind of kinds) {
    const entries: readonly NamedEntry[] = namedEntries[kind](tenant.settings);
    for (const entry of entries) {
      const { id, key, within } = entry;
      const isOne = entries.filter((other) => other.key === key && other.within === within).length === 1;
      const by = kind === "meteredVariable" ? "identifier" : "name";
      // Its name may exist in the new tenant, as that of another entry.
      const isInitial = kind === "vatType" && (id === initialVatType.id || key === initialVatType.name);
      const name = isOne && !isInitial && namedBy([kind, by, key, ...(within === undefined ? [] : [within])]);
      // An id shared by entries of different plans is kept.
      names.set(id, name && !names.has(id) ? name : { written: id, token: id });
    }
  }
  return async () => names;
}
