import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ItemRow, items } from "../../packages/service/src/storage/collections/items.ts";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import { isDataError, sqlStateOf } from "../../packages/service/src/storage/sql-states.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { UnitOfWork } from "../../packages/service/src/storage/unit-of-work/unit-of-work.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { engines } from "../support/engines.ts";

const now = "2026-01-02T03:04:05.678Z";

const itemRow = (tenant: Tenant, id: string, fields: Partial<ItemRow> = {}): ItemRow => ({
  id,
  type: "folder",
  shapeIdentifier: "box",
  parentId: tenant.rootItemId,
  sortKey: `z00${id}`,
  externalReference: null,
  resourceIdentifier: null,
  vatTypeId: null,
  createdAt: now,
  updatedAt: now,
  ...fields,
});

/** A new tenant with the shape that the items of these tests have. */
async function tenantWithShape(database: Database): Promise<Tenant> {
  const { tenant } = await createTenant(database, { identifier: `t-${newId()}` });
  await database.execute(
    `INSERT INTO shapes (tenant_id, identifier, revision, type, name, components, variant_components, created_at, updated_at)
     VALUES ($1, 'box', '1', 'folder', 'Box', '[]', '[]', now(), now())`,
    [tenant.id],
  );
  return tenant;
}

const inUnit = <Result>(database: Database, tenant: Tenant, work: (unit: UnitOfWork) => Promise<Result>) =>
  database.transaction(async (transaction) => {
    const unit = new UnitOfWork(transaction, tenant.id);
    const result = await work(unit);
    await unit.flush();
    return result;
  });

const storedItems = (database: Database, tenant: Tenant) =>
  inUnit(database, tenant, (unit) => unit.select(items, "t.parent_id IS NOT NULL ORDER BY t.id"));

describe.each(engines)("the unit of work on $name", ({ name, open }) => {
  let database: Database;
  let tenant: Tenant;
  beforeAll(async () => {
    database = await open();
    tenant = await tenantWithShape(database);
  });
  afterAll(() => database.close());

  test("writes a row that was replaced by its like, so that another writer of it meets a conflict", async () => {
    const id = newId();
    await inUnit(database, tenant, async (unit) => unit.insert(items, itemRow(tenant, id)));
    const written = await inUnit(database, tenant, async (unit) => {
      const row = (await unit.get(items, id)) as ItemRow;
      unit.update(items, { ...row });
      await unit.flush();
      return unit.written().get("items");
    });
    expect(written).toBe(1);
  });

  test("reads its own writes by key and by index, before and after a flush in between", async () => {
    const id = newId();
    await inUnit(database, tenant, async (unit) => {
      expect(await unit.get(items, id)).toBeUndefined();
      unit.insert(items, itemRow(tenant, id, { externalReference: "own" }));
      expect((await unit.find(items, "externalReference", "own")).map((row) => row.id)).toEqual([id]);
      await unit.flush();
      const row = (await unit.get(items, id)) as ItemRow;
      unit.update(items, { ...row, externalReference: "moved" });
      expect(await unit.find(items, "externalReference", "own")).toEqual([]);
      expect(await unit.find(items, "externalReference", "moved")).toHaveLength(1);
    });
    const [row] = await inUnit(database, tenant, (unit) => unit.find(items, "externalReference", "moved"));
    expect(row).toEqual(itemRow(tenant, id, { externalReference: "moved" }));
  });

  test("writes nothing when what was flushed is rolled back to its mark", async () => {
    const [kept, dropped] = [newId(), newId()];
    await inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, kept));
      const mark = unit.mark();
      unit.insert(items, itemRow(tenant, dropped));
      unit.update(items, itemRow(tenant, kept, { externalReference: "wrong" }));
      await unit.flush();
      unit.rollback(mark);
    });
    const stored = await storedItems(database, tenant);
    expect(stored.find(({ id }) => id === kept)).toEqual(itemRow(tenant, kept));
    expect(stored.find(({ id }) => id === dropped)).toBeUndefined();
  });

  test("lets two rows swap a unique key in one flush", async () => {
    const [left, right] = [newId(), newId()];
    await inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, left, { resourceIdentifier: "left" }));
      unit.insert(items, itemRow(tenant, right, { resourceIdentifier: "right" }));
    });
    await inUnit(database, tenant, async (unit) => {
      await unit.prefetch((prefetch) => {
        prefetch(items, "key", [left]);
        prefetch(items, "key", [right]);
      });
      unit.update(items, itemRow(tenant, left, { resourceIdentifier: "right" }));
      unit.update(items, itemRow(tenant, right, { resourceIdentifier: "left" }));
    });
    const [row] = await inUnit(database, tenant, (unit) => unit.find(items, "resourceIdentifier", "left"));
    expect(row?.id).toBe(right);
  });

  test("needs as many statements for two hundred operations as for ten", async () => {
    const count = async (operations: number) => {
      let statements = 0;
      await database.transaction(async (transaction) => {
        const counted: Queries = {
          query: (sql, parameters) => {
            statements++;
            return transaction.query(sql, parameters);
          },
          execute: (sql, parameters) => {
            statements++;
            return transaction.execute(sql, parameters);
          },
        };
        const unit = new UnitOfWork(counted, tenant.id);
        const ids = Array.from({ length: operations }, () => newId());
        await unit.prefetch((prefetch) => {
          for (const id of ids) prefetch(items, "key", [id]);
        });
        for (const id of ids) if (!(await unit.get(items, id))) unit.insert(items, itemRow(tenant, id));
        await unit.flush();
      });
      return statements;
    };
    expect(await count(200)).toBe(await count(10));
  });

  test("does not ask for a row by its unique key when it was found on the way, nor for none in its place", async () => {
    const [found, renamed] = [newId(), newId()];
    await inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, found, { resourceIdentifier: "found", externalReference: "way" }));
      unit.insert(items, itemRow(tenant, renamed, { resourceIdentifier: "old", externalReference: "way" }));
    });
    await database.transaction(async (transaction) => {
      const asked: string[] = [];
      const query: Queries["query"] = (sql, parameters) => {
        asked.push(String(parameters?.[1]));
        return transaction.query(sql, parameters);
      };
      const unit = new UnitOfWork({ ...transaction, query }, tenant.id);
      await unit.prefetch((prefetch) => {
        for (const name of ["found", "absent"]) prefetch(items, "resourceIdentifier", [name]);
        prefetch(items, "externalReference", ["way"]);
      });
      expect(asked).toEqual(['[{"externalReference":"way"}]', '[{"resourceIdentifier":"absent"}]']);
      const [row] = await unit.find(items, "resourceIdentifier", "old");
      unit.update(items, { ...(row as ItemRow), resourceIdentifier: "new" });
      expect(await unit.find(items, "resourceIdentifier", "old")).toEqual([]);
      expect((await unit.find(items, "resourceIdentifier", "found")).map(({ id }) => id)).toEqual([found]);
      expect(asked).toHaveLength(2);
      expect((await unit.find(items, "resourceIdentifier", "new")).map(({ id }) => id)).toEqual([renamed]);
    });
  });

  test("follows from loaded rows to what they need, asking once for each index", async () => {
    const [parent, child] = [newId(), newId()];
    await inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, parent));
      unit.insert(items, itemRow(tenant, child, { parentId: parent, resourceIdentifier: "followed" }));
    });
    await database.transaction(async (transaction) => {
      let statements = 0;
      const counted: Queries = {
        ...transaction,
        query: (sql, p) => {
          statements++;
          return transaction.query(sql, p);
        },
      };
      const unit = new UnitOfWork(counted, tenant.id);
      await unit.prefetch((prefetch) =>
        prefetch(items, "resourceIdentifier", ["followed"], (row, prefetchMore) =>
          prefetchMore(items, "key", [row.parentId]),
        ),
      );
      expect((await unit.get(items, parent))?.id).toBe(parent);
      expect(statements).toBe(2);
    });
  });

  test("never sees a row of another tenant, by key or by index", async () => {
    const other = await tenantWithShape(database);
    const id = newId();
    await inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, id, { externalReference: "theirs" }));
    });
    await inUnit(database, other, async (unit) => {
      expect(await unit.get(items, id)).toBeUndefined();
      expect(await unit.find(items, "externalReference", "theirs")).toEqual([]);
    });
  });

  test("answers a value that no column takes with an error of the data, and writes nothing of the batch", async () => {
    const [good, bad] = [newId(), newId()];
    const write = inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, good));
      unit.insert(items, itemRow(tenant, bad, { createdAt: "not a time" }));
    });
    await expect(write).rejects.toSatisfy(isDataError);
    expect((await storedItems(database, tenant)).some(({ id }) => id === good)).toBe(false);
  });

  test("refuses a child whose parent is not there", async () => {
    const write = inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, newId(), { parentId: newId() }));
    });
    await expect(write).rejects.toSatisfy((error) => sqlStateOf(error) === "23503");
  });

  test("equals a naive model under any interleaving of reads, writes, marks, rollbacks and flushes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => equalsModel(database, steps)),
      {
        numRuns: name === "PGlite" ? 150 : 300,
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

/** Runs the steps against the unit of work and against a plain map, and compares what both read and leave. */
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
