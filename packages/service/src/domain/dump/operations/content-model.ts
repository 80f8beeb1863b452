import { contentModelSteps, withoutKeys } from "@lading/schema/internal";
import { pieces } from "../../../storage/collections/pieces.ts";
import { shapes } from "../../../storage/collections/shapes.ts";
import type { DumpedTenant, ReadKind } from "../dumped-tenant.ts";
import { operation } from "../operation.ts";
import { allRows } from "../pages.ts";

/** Reads pieces and shapes, each after those it uses; one per cycle is written twice. */
export const readContentModel: ReadKind = async function* (dumped) {
  const steps = contentModelSteps(await modelOf(dumped));
  yield steps.map(({ kind, definition }) => operation(`${kind}/upsert`, { ...definition }));
};

/** Reads the whole content model into memory. */
async function modelOf(dumped: DumpedTenant) {
  const [shapeRows, pieceRows] = [await allRows(dumped, shapes), await allRows(dumped, pieces)];
  return {
    shapes: shapeRows.map(({ identifier, name, type, meta, components, variantComponents }) => ({
      ...{ identifier, name, type, components: withoutKeys(components), meta: meta ?? null },
      ...(type === "product" && { variantComponents: withoutKeys(variantComponents) }),
    })),
    pieces: pieceRows.map(({ identifier, name, components }) => ({
      ...{ identifier, name, components: withoutKeys(components) },
    })),
  };
}
