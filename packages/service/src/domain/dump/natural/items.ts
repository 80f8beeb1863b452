import { type ItemRow, items } from "../../../storage/collections/items.ts";
import { derivedId } from "../../../storage/ids.ts";
import { rowsWith } from "../../../storage/pages/keyset.ts";
import { itemNames, lastingSkus, sharedReferences } from "../../../storage/pages/natural-keys.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";
import { type Named, namedBy } from "./key.ts";
import { NameRanks } from "./name-ranks.ts";

type Source = Pick<DumpedTenant, "tenant" | "page" | "movedSkus">;

/**
 * The names of items: the resource identifier, else the external reference, else a product's SKU, else an id derived
 * from the location. Keeps the folders it has visited in memory.
 */
export class ItemNames {
  readonly #source: Source;
  readonly #folders = new Map<string, Named>();
  readonly #ranks: NameRanks;

  constructor(source: Source) {
    this.#source = source;
    this.#ranks = new NameRanks(source);
    this.#folders.set(source.tenant.rootItemId, { written: "{{ defaults.rootItemId }}", token: "root" });
  }

  /** Names items; ids that don't exist are omitted. */
  async of(ids: readonly string[]): Promise<Map<string, Named>> {
    const known = ids.flatMap((id) => {
      const folder = this.#folders.get(id);
      return folder === undefined ? [] : [[id, folder] as const];
    });
    const names = new Map(known);
    const others = ids.filter((id) => !names.has(id));
    if (others.length === 0) return names;
    const { tenant, page } = this.#source;
    const found = await page((queries) => rowsWith(queries, tenant.id, items, "id", others));
    const rows = [...found.values()].flat();
    for (const [id, name] of await this.#named(rows)) names.set(id, name);
    for (const { id, type } of rows) {
      const name = names.get(id);
      if (type === "folder" && name !== undefined) this.#folders.set(id, name);
    }
    return names;
  }

  async #named(rows: readonly ItemRow[]): Promise<Map<string, Named>> {
    const names = new Map<string, Named>();
    for (const { id, type, resourceIdentifier } of rows)
      set(names, id, resourceIdentifier && namedBy([type, "resourceIdentifier", resourceIdentifier]));
    await this.#byReference(
      rows.filter(({ id }) => !names.has(id)),
      names,
    );
    await this.#bySku(
      rows.filter(({ id, type }) => type === "product" && !names.has(id)),
      names,
    );
    await this.#byLocation(
      rows.filter(({ id }) => !names.has(id)),
      names,
    );
    return names;
  }

  /** Names items by external references that are unique within their type. */
  async #byReference(rows: readonly ItemRow[], names: Map<string, Named>): Promise<void> {
    const { tenant, page } = this.#source;
    const references = rows.flatMap(({ externalReference }) => externalReference ?? []);
    if (references.length === 0) return;
    const shared = await page((queries) => sharedReferences(queries, tenant.id, references));
    const isShared = ({ type, externalReference }: ItemRow) =>
      shared.some((one) => one.type === type && one.externalReference === externalReference);
    for (const row of rows)
      if (row.externalReference !== null && !isShared(row))
        set(names, row.id, namedBy([row.type, "externalReference", row.externalReference]));
  }

  /** Names products by a SKU that all their versions have and no other product has. */
  async #bySku(rows: readonly ItemRow[], names: Map<string, Named>): Promise<void> {
    if (rows.length === 0) return;
    const { tenant, page, movedSkus } = this.#source;
    const ids = rows.map(({ id }) => id);
    const isMoved = await movedSkus();
    const skus = await page((queries) => lastingSkus(queries, tenant.id, ids));
    for (const { productId, sku } of skus)
      if (!names.has(productId) && !isMoved(sku, productId))
        set(names, productId, namedBy(["product", "sku", sku]));
  }

  /** Names items without a key by an id derived from their folder and name. */
  async #byLocation(rows: readonly ItemRow[], names: Map<string, Named>): Promise<void> {
    if (rows.length === 0) return;
    const { tenant, page } = this.#source;
    const ids = rows.map(({ id }) => id);
    const found = await page((queries) => itemNames(queries, tenant.id, ids));
    const folders = await this.of([...new Set(found.map(({ parentId }) => parentId))]);
    for (const [{ id, parentId, language, name }, rank] of await this.#ranks.of(found)) {
      const folder = folders.get(parentId)?.token ?? "";
      const token = derivedId("place", folder, language, name, String(rank));
      names.set(id, { written: token, token, isBare: true });
    }
  }
}

function set(names: Map<string, Named>, id: string, name: Named | undefined | "" | null): void {
  if (name) names.set(id, name);
}
