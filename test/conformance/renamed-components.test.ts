import type { ComponentContent } from "@lading/schema/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readableContent } from "../../packages/service/src/domain/content/compiled-content.ts";
import { namedContent } from "../../packages/service/src/domain/content-rules/orphans.ts";
import { itemContents } from "../../packages/service/src/storage/collections/item-contents.ts";
import { shapes } from "../../packages/service/src/storage/collections/shapes.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { UnitOfWork } from "../../packages/service/src/storage/unit-of-work/unit-of-work.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { historyEngines } from "../support/engines.ts";
import { seeded } from "../support/random.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

const itemId = "6561f0c2a1b2c3d4e5f60718";
const ids = ["a", "b", "c", "d"];
const types = ["singleLine", "numeric"] as const;
/** Seeds; the first two are those of `npm test`. */
const histories = [...new Set([2, 4, ...Array.from({ length: 20 }, (_, i) => i + 1)])];

/** A component that is the same one whatever its id; `value` is that of the item. */
interface Component {
  readonly id: string;
  readonly type: (typeof types)[number];
  readonly content: symbol;
}

interface State {
  components: readonly Component[];
  values: ReadonlyMap<symbol, string | number>;
}

/** A write of a task, with the state before it. */
interface Written {
  readonly task: string;
  readonly row: keyof State;
  readonly before: State;
  /** Marks of the row's states before and after. */
  readonly versions: readonly [symbol, symbol];
}

describe.each(historyEngines)("histories of renames on $name", ({ open, runs }) => {
  let bench: RunnerBench;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
    await bench.runner();
  });
  afterAll(() => bench.close());

  const run = async (tenant: Tenant, operation: object) => {
    const id = await bench.start([operation], { tenant });
    await bench.ended(id, tenant);
    return { id, entry: (await bench.log(id, tenant))[0] };
  };

  const read = async (tenant: Tenant): Promise<Record<string, unknown>> => {
    const unit = new UnitOfWork(bench.database, tenant.id, "none");
    const shape = await unit.get(shapes, "note");
    const draft = await unit.get(itemContents, itemId, "en", "draft");
    if (shape === undefined || draft === undefined) throw new Error("the shape or the item is missing");
    const named = await readableContent(unit, shape, "components", draft.components, namedContent);
    return Object.fromEntries(named.map((content) => [content.componentId, ownValue(content)]));
  };

  test.each(histories.slice(0, runs(histories.length)))(
    "content follows its component in history %i",
    async (seed) => {
      const { below, pick, chance } = seeded(seed);
      const tenant = await bench.newTenant();
      const state: State = { components: [], values: new Map() };
      const versions = { components: Symbol(), values: Symbol() };
      let undoable: Written[] = [];
      const definition = ({ id, type }: Pick<Component, "id" | "type">) => ({ id, type });
      const shapeOf = (components: readonly Pick<Component, "id" | "type">[]) => ({
        ...{ intent: "shape/upsert", identifier: "note", type: "document", name: "Note" },
        components: components.map(definition),
      });
      const write = <Row extends keyof State>(task: string, row: Row, next: State[Row]) => {
        const after = Symbol();
        undoable.push({ task, row, before: { ...state }, versions: [versions[row], after] });
        versions[row] = after;
        state[row] = next;
      };
      const first = [
        { id: "a", type: types[0] },
        { id: "b", type: types[0] },
      ];
      state.components = first.map((each) => ({ ...each, content: Symbol(each.id) }));
      await run(tenant, shapeOf(first));
      await run(tenant, {
        ...{ intent: "document/upsert", itemId, language: "en", name: "N", shapeIdentifier: "note" },
        ...{ tree: { parentId: tenant.rootItemId }, components: [] },
      });

      const steps = {
        rename: async () => {
          const [component, to] = [pick(state.components), pick(ids)];
          if (component === undefined || component.id === to) return;
          const isTaken = state.components.some(({ id }) => id === to);
          const { id, entry } = await run(tenant, {
            ...{ intent: "shape/component/rename", identifier: "note", from: component.id, to },
          });
          expect(entry).toMatchObject(
            isTaken ? { errorName: "ComponentIdTakenError" } : { action: "updated" },
          );
          const renamed = state.components.map((each) => (each === component ? { ...each, id: to } : each));
          if (!isTaken) write(id, "components", renamed);
        },
        reshape: async () => {
          const next = ids.flatMap((id): Component[] => {
            const known = state.components.find((each) => each.id === id);
            if (known === undefined ? !chance(0.3) : chance(0.2)) return [];
            const type = chance(0.2) ? pick(types) : (known?.type ?? types[0]);
            return [{ id, type, content: known?.type === type ? known.content : Symbol(id) }];
          });
          const { id, entry } = await run(tenant, shapeOf(next));
          if (entry?.action === "updated") write(id, "components", next);
        },
        write: async () => {
          const component = pick(state.components);
          if (component === undefined) return;
          const number = below(1_000_000);
          const value = component.type === "numeric" ? number : String(number);
          const content = component.type === "numeric" ? { number } : { text: value };
          const { id, entry } = await run(tenant, {
            ...{ intent: "item/updateComponent/item", itemId, language: "en" },
            component: { componentId: component.id, [component.type]: content },
          });
          expect(entry).toMatchObject({ action: "updated" });
          const readable = state.components.flatMap(({ content }) => {
            const own = state.values.get(content);
            return own === undefined ? [] : [[content, own] as const];
          });
          write(id, "values", new Map([...readable, [component.content, value]]));
        },
        undo: async () => {
          const written = pick(undoable);
          if (written === undefined) return;
          const { row, task, before } = written;
          const [former, left] = written.versions;
          const { id } = await undoTask(bench.database, tenant, { id: task, autoStart: true });
          await bench.ended(id, tenant);
          const [entry] = await bench.log(id, tenant);
          const isLast = versions[row] === left;
          expect(entry).toMatchObject(isLast ? { status: "success" } : { errorName: "ChangedSinceError" });
          undoable = undoable.filter((each) => each !== written);
          if (isLast) Object.assign(state, { [row]: before[row] });
          if (isLast) versions[row] = former;
        },
      };
      for (let step = 0; step < 25; step++) {
        await pick([steps.rename, steps.rename, steps.reshape, steps.write, steps.write, steps.undo])();
        const visible = state.components.flatMap(({ id, content }) =>
          state.values.has(content) ? [[id, state.values.get(content)] as const] : [],
        );
        expect(await read(tenant)).toEqual(Object.fromEntries(visible));
      }
    },
  );
});

const ownValue = ({ singleLine, numeric }: ComponentContent) => singleLine?.text ?? numeric?.number;
