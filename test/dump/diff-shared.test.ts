import { describe, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { openService, serviceEngines } from "../support/service.ts";
import { differenceOf } from "./differing.ts";
import { dumpOf, restored, run } from "./dumping.ts";

const id = "d".repeat(24);
const shape = (multilingual: boolean) => ({
  intent: "shape/upsert",
  ...{ identifier: "doc", name: "Doc", type: "document" },
  components: [
    { id: "shared", name: "Shared", type: "singleLine", config: { singleLine: { multilingual } } },
    { id: "title", name: "Title", type: "singleLine" },
  ],
});
const document = (language: string, shared?: string, title?: string) => ({
  intent: "document/upsert",
  ...{ itemId: id, createdAt: "2026-01-31T12:00:00Z", language, name: "Doc", shapeIdentifier: "doc" },
  tree: { parentId: "{{ defaults.rootItemId }}" },
  components: Object.entries({ shared, title }).flatMap(([componentId, text]) =>
    text === undefined ? [] : { componentId, singleLine: { text } },
  ),
});
const norwegian = { intent: "language/upsert", code: "no", name: "Norsk" };
const stays =
  "shared content that differs between languages until it is written, in the component shared of the shape doc: " +
  id;

const differing = [shape(true), document("en", "x"), document("no", "y"), shape(false)];

describe.each(serviceEngines)("languages that differ in shared content, on %s,", (engine) => {
  let tenants = 0;
  const service = opened(() => openService(engine));

  async function tenantWith(...operations: object[]): Promise<TenantClient> {
    const client = await service.tenant(`shared-${++tenants}`);
    await run(client, { version: "1.0.0", operations: [norwegian, ...operations] });
    return client;
  }

  describe.each([true, false])("with deletions: %s", (deletes) => {
    test.each([
      ["x", undefined],
      ["x", "y"],
      [undefined, "y"],
    ])("are reported by a comparison with a copy (%s, %s)", async (english, other) => {
      const written = [shape(true), document("en", english), document("no", other), shape(false)];
      const original = await tenantWith(...written);
      const dump = await dumpOf(original);
      const copy = await restored(service, `copy-${tenants}`, dump);
      const made = await dumpOf(copy);
      expect(await differenceOf(made, dump, deletes)).toEqual({
        operations: [],
        counts: [],
        remainders: [],
      });
      expect(await differenceOf(dump, made, deletes)).toEqual({
        ...{ operations: [], counts: [] },
        remainders: [stays],
      });
      expect(JSON.parse(dump).report).toMatchObject([{ count: 1, shape: "doc", component: "shared" }]);
    });

    test("agree where they are published, since all their content is written before", async () => {
      const from = await tenantWith(...differing);
      const publish = (language: string) => ({ intent: "item/publish", itemId: id, language });
      const to = await tenantWith(shape(false), document("en", "x"), document("no", "x"), publish("no"));
      const wanted = await dumpOf(to);
      const { operations } = await differenceOf(await dumpOf(from), wanted, deletes);
      await run(from, { version: "1.0.0", operations });
      const made = await dumpOf(from);
      expect(await differenceOf(made, wanted, deletes)).toEqual({
        operations: [],
        counts: [],
        remainders: [],
      });
    });

    test.each([
      ["written", [shape(false), document("en", "x"), document("no", "x", "t")]],
      ["not shared any more", [shape(true), document("en", "x"), document("no", "x")]],
    ])("agree where they are %s, and a second comparison finds nothing", async (_, after) => {
      const [from, to] = [await tenantWith(...differing), await tenantWith(...after)];
      const wanted = await dumpOf(to);
      const { operations } = await differenceOf(await dumpOf(from), wanted, deletes);
      await run(from, { version: "1.0.0", operations });
      const made = await dumpOf(from);
      expect(JSON.parse(made).report).toBeUndefined();
      expect(await differenceOf(made, wanted, deletes)).toEqual({
        operations: [],
        counts: [],
        remainders: [],
      });
    });
  });
});
