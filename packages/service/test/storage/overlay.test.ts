import { describe, expect, test } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { opened } from "../../../../test/support/opened.ts";
import { silent } from "../../../../test/support/runner.ts";
import { customerGroups } from "../../src/storage/collections/customer-groups.ts";
import { newId } from "../../src/storage/ids.ts";
import { type Overlay, OverlayNeeded, withOverlay } from "../../src/storage/overlay/overlay.ts";
import { makeOverlay, tablesOverlaid } from "../../src/storage/overlay/tables.ts";
import { overlayWriter } from "../../src/storage/overlay/writer.ts";
import { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { createTenant } from "../../src/tenants/create.ts";

describe.each(engines)("the overlay of a plan on $name", ({ open }) => {
  const database = opened(open);

  const newTenant = async () => (await createTenant(database, { identifier: `t-${newId()}` })).tenant.id;

  const groups = (overlay: Overlay, tenantId: string) =>
    overlay.transaction((transaction) =>
      transaction.query("SELECT identifier FROM customer_groups WHERE tenant_id = $1", [tenantId]),
    );

  const write = (overlay: Overlay, tenantId: string) =>
    overlay.transaction(async (transaction) => {
      const unit = new UnitOfWork(
        transaction,
        tenantId,
        "exclusive",
        overlayWriter(transaction, tenantId, overlay),
      );
      const now = new Date().toISOString();
      unit.insert(customerGroups, {
        identifier: "tea",
        name: "Tea",
        parents: [],
        createdAt: now,
        updatedAt: now,
      });
      await unit.flush();
    });

  test("two plans may need a table's overlay concurrently", async () => {
    await database.session(await newTenant(), async (session) => {
      await Promise.all([makeOverlay(session, "flows"), makeOverlay(session, "flows")]);
      expect(await tablesOverlaid(session)).toContain("flows");
    });
  });

  test("a write into a table without an overlay is refused, and accepted by the next transaction", async () => {
    const tenantId = await newTenant();
    await withOverlay(database, { tenantId, logger: silent }, async (overlay) => {
      // Read before, so that a prepared statement knows the table by its name.
      expect(await groups(overlay, tenantId)).toEqual([]);
      await expect(write(overlay, tenantId)).rejects.toThrow(OverlayNeeded);
      await write(overlay, tenantId);
      expect(await groups(overlay, tenantId)).toEqual([{ identifier: "tea" }]);
    });
    await withOverlay(database, { tenantId, logger: silent }, async (overlay) => {
      expect(await groups(overlay, tenantId)).toEqual([]);
    });
  });

  test("only tables that are written have an overlay, which the next plan finds", async () => {
    const tenantId = await newTenant();
    await withOverlay(database, { tenantId, logger: silent }, async (overlay) => {
      const tables = await overlay.transaction(tablesOverlaid);
      expect(tables.toSorted()).toEqual(["customer_groups", "flows"]);
      await write(overlay, tenantId);
    });
  });
});
