import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ItemRow, items } from "../../packages/service/src/storage/collections/items.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import type { UnitOfWork } from "../../packages/service/src/storage/unit-of-work/unit-of-work.ts";
import { bothEngines } from "../support/engines.ts";
import { runs } from "../support/extent.ts";
import { opened } from "../support/opened.ts";
import { inUnit, itemRow, storedItems, tenantWithShape } from "../support/unit-of-work.ts";

describe.each(bothEngines)("the unit of work on $name", ({ name, open }) => {
  const database = opened(open);

  test("the unit of work behaves like a naive model under any reads, writes, marks, rollbacks and flushes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => equalsModel(database, steps)),
      {
        numRuns: runs(name === "PGlite" ? 150 : 300),
      },
    );
  }, 120_000);
});

type RowStep =
  | { do: "put"; slot: number; reference: number; resource: number }
  | { do: "remove" | "get"; slot: number }
  | { do: "find"; reference: number };
type Step = RowStep | { do: "mark" | "rollback" | "flush" | "select" | "commit" };

const slot = fc.nat({ max: 5 });
const key = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("put" as const), slot, reference: key, resource: key }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("remove" as const, "get" as const), slot }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("find" as const), reference: key }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "mark" as const,
        "rollback" as const,
        "flush" as const,
        "select" as const,
        "commit" as const,
      ),
    }),
  },
);

/** Runs the steps on the unit of work and on a plain map; compares what both read and leave. */
async function equalsModel(database: Database, steps: Step[]): Promise<void> {
  const tenant = await tenantWithShape(database);
  const ids = Array.from({ length: 6 }, () => newId());
  const queue = [...steps];
  let committed = new Map<string, ItemRow>();
  while (queue.length > 0) {
    await inUnit(database, tenant, async (unit) => {
      committed = await untilCommit(unit, queue, committed, ids, tenant);
    });
    expect(await storedItems(database, tenant)).toEqual(sorted(committed));
  }
}

const sorted = (model: Map<string, ItemRow>) => [...model.values()].sort((a, b) => (a.id < b.id ? -1 : 1));

async function untilCommit(
  unit: UnitOfWork,
  queue: Step[],
  start: Map<string, ItemRow>,
  ids: string[],
  tenant: Tenant,
): Promise<Map<string, ItemRow>> {
  let model = new Map(start);
  const marks: { mark: number; model: Map<string, ItemRow> }[] = [];
  for (let next = queue.shift(); next !== undefined && next.do !== "commit"; next = queue.shift()) {
    if ("slot" in next || "reference" in next) await readOrWrite(unit, next, model, ids, tenant);
    else if (next.do === "mark") marks.push({ mark: unit.mark(), model: new Map(model) });
    else if (next.do === "rollback") {
      const to = marks.pop();
      if (to === undefined) continue;
      unit.rollback(to.mark);
      model = to.model;
    } else if (next.do === "flush") await unit.flush();
    else expect(await unit.select(items, "t.parent_id IS NOT NULL ORDER BY t.id")).toEqual(sorted(model));
  }
  return model;
}

async function readOrWrite(
  unit: UnitOfWork,
  next: RowStep,
  model: Map<string, ItemRow>,
  ids: string[],
  tenant: Tenant,
): Promise<void> {
  if (next.do === "find") {
    const found = await unit.find(items, "externalReference", `r${next.reference}`);
    const expected = sorted(model).filter((row) => row.externalReference === `r${next.reference}`);
    expect(found.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected);
    return;
  }
  const id = ids[next.slot] as string;
  const stored = await unit.get(items, id);
  expect(stored).toEqual(model.get(id));
  if (next.do === "remove" && stored !== undefined) {
    unit.remove(items, stored);
    model.delete(id);
  }
  if (next.do !== "put") return;
  const resourceIdentifier = `u${next.resource}`;
  const [owner] = await unit.find(items, "resourceIdentifier", resourceIdentifier);
  expect(owner).toEqual([...model.values()].find((row) => row.resourceIdentifier === resourceIdentifier));
  if (owner !== undefined && owner.id !== id) return;
  const row = itemRow(tenant, id, { externalReference: `r${next.reference}`, resourceIdentifier });
  if (stored === undefined) unit.insert(items, row);
  else unit.update(items, row);
  model.set(id, row);
}
