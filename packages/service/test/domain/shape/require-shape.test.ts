import { expect, test } from "vitest";
import { requireShape } from "../../../src/domain/content/check.ts";
import { UnitOfWork } from "../../../src/storage/unit-of-work/unit-of-work.ts";
import { countStatements, describeOnEngines } from "../../support/commands.ts";

describeOnEngines("a shape that is not in memory", (shop) => {
  test("is loaded once, and then at hand", async () => {
    await shop().done("shape/upsert", { identifier: "box", name: "Box", type: "folder" });
    const { database, tenant } = shop();
    await database.transaction(async (transaction) => {
      const counting = countStatements(transaction);
      const unit = new UnitOfWork(counting, tenant.id);
      const loaded = await requireShape(unit, "folder", "box");
      expect(counting.statements).toHaveLength(1);
      expect(requireShape(unit, "folder", "box")).toBe(loaded);
    });
  });

  test("fails once when it cannot be loaded, and leaves no other promise that fails", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const { database, tenant } = shop();
    const load = database.transaction(async (transaction) =>
      requireShape(new UnitOfWork(transaction, tenant.id), "folder", "\0"),
    );
    await expect(load).rejects.toThrow("U+0000");
    await new Promise(setImmediate);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});
