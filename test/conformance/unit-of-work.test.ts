import { beforeAll, describe, expect, test } from "vitest";
import { itemContents } from "../../packages/service/src/storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../packages/service/src/storage/collections/items.ts";
import type { Queries } from "../../packages/service/src/storage/database.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import { isDataError, sqlStateOf } from "../../packages/service/src/storage/sql-states.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import type { Prefetch } from "../../packages/service/src/storage/unit-of-work/prefetch.ts";
import { UnitOfWork } from "../../packages/service/src/storage/unit-of-work/unit-of-work.ts";
import { bothEngines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { inUnit, itemRow, storedItems, tenantWithShape } from "../support/unit-of-work.ts";

describe.each(bothEngines)("the unit of work on $name", ({ open }) => {
  let tenant: Tenant;
  const database = opened(open);
  beforeAll(async () => {
    tenant = await tenantWithShape(database);
  });

  test("a row replaced by an equal one is written, so a concurrent writer gets a conflict", async () => {
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

  test("the unit of work reads its own writes by key and by index, before and after a flush", async () => {
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

  test("rolling back to the mark after a flush writes nothing", async () => {
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

  test("two rows can swap a unique key in one flush", async () => {
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

  test("two hundred operations take as many statements as ten", async () => {
    const count = async (operations: number) => {
      let statements = 0;
      await database.transaction(async (transaction) => {
        const counted: Queries = {
          ...transaction,
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

  test("a loaded row, or its absence, is not loaded again by unique key", async () => {
    const [found, renamed] = [newId(), newId()];
    await inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, found, { resourceIdentifier: "found", externalReference: "way" }));
      unit.insert(items, itemRow(tenant, renamed, { resourceIdentifier: "old", externalReference: "way" }));
    });
    await database.transaction(async (transaction) => {
      const asked: [string, unknown][] = [];
      const query: Queries["query"] = (sql, parameters) => {
        asked.push([/AS r\("(.*)"\)/.exec(sql)?.[1] ?? "", parameters?.[1]]);
        return transaction.query(sql, parameters);
      };
      const unit = new UnitOfWork({ ...transaction, query }, tenant.id);
      await unit.prefetch((prefetch) => {
        for (const name of ["found", "absent"]) prefetch(items, "resourceIdentifier", [name]);
        prefetch(items, "externalReference", ["way"]);
      });
      expect(asked).toEqual([
        ["externalReference", { type: "text", values: ["way"] }],
        ["resourceIdentifier", { type: "text", values: ["absent"] }],
      ]);
      const [row] = await unit.find(items, "resourceIdentifier", "old");
      unit.update(items, { ...(row as ItemRow), resourceIdentifier: "new" });
      expect(await unit.find(items, "resourceIdentifier", "old")).toEqual([]);
      expect((await unit.find(items, "resourceIdentifier", "found")).map(({ id }) => id)).toEqual([found]);
      expect(asked).toHaveLength(2);
      expect((await unit.find(items, "resourceIdentifier", "new")).map(({ id }) => id)).toEqual([renamed]);
    });
  });

  test("the prefetch follows references of loaded rows, with one query per index", async () => {
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

  test("rows loaded together take one statement per round, unique keys in the first", async () => {
    const [parent, child] = [newId(), newId()];
    await inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, parent, { resourceIdentifier: "together" }));
      unit.insert(items, itemRow(tenant, child, { parentId: parent, externalReference: "below" }));
    });
    await database.transaction(async (transaction) => {
      let statements = 0;
      const query: Queries["query"] = (sql, parameters) => {
        statements++;
        return transaction.query(sql, parameters);
      };
      const unit = new UnitOfWork({ ...transaction, query }, tenant.id);
      const declare = (prefetch: Prefetch) => {
        prefetch(items, "resourceIdentifier", ["none"]);
        prefetch(items, "resourceIdentifier", ["together"]);
        prefetch(items, "externalReference", ["below"], (row, prefetchMore) => {
          prefetchMore(items, "key", [row.parentId]);
          prefetchMore(itemContents, "item", [row.id]);
        });
      };
      await unit.prefetch(declare, { together: true });
      const found = await unit.find(items, "resourceIdentifier", "together");
      expect(found).toEqual([itemRow(tenant, parent, { resourceIdentifier: "together" })]);
      expect((await unit.find(items, "externalReference", "below")).map(({ id }) => id)).toEqual([child]);
      expect(await unit.find(items, "resourceIdentifier", "none")).toEqual([]);
      expect(await unit.find(itemContents, "item", child)).toEqual([]);
      expect(statements).toBe(2);
    });
  });

  test("the unit of work never sees a row of another tenant, by key or by index", async () => {
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

  test("a value that no column accepts is a data error, and nothing of the batch is written", async () => {
    const [good, bad] = [newId(), newId()];
    const write = inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, good));
      unit.insert(items, itemRow(tenant, bad, { createdAt: "not a time" }));
    });
    await expect(write).rejects.toSatisfy(isDataError);
    expect((await storedItems(database, tenant)).some(({ id }) => id === good)).toBe(false);
  });

  test("a child whose parent does not exist is refused", async () => {
    const write = inUnit(database, tenant, async (unit) => {
      unit.insert(items, itemRow(tenant, newId(), { parentId: newId() }));
    });
    await expect(write).rejects.toSatisfy((error) => sqlStateOf(error) === "23503");
  });
});
