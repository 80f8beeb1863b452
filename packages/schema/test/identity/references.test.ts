import { expect, test } from "vitest";
import type { z } from "zod";
import { intentNames, nodeOf, payloads, unwrapSchema, withReferences } from "../../src/internal.ts";
import { plainScalars } from "../../src/scalars.ts";

const old = "0".repeat(24);

/** The id fields of a payload, each as a value with nothing else. */
function idsIn(schema: z.ZodType, visited: readonly z.ZodType[] = []): [path: string, value: unknown][] {
  const inner = unwrapSchema(schema).schema;
  if (inner === plainScalars.id) return [["", old]];
  if (visited.includes(inner)) return [];
  const node = nodeOf(inner);
  const within = (each: z.ZodType) => idsIn(each, [...visited, inner]);
  if (node.kind === "list") return within(node.element).map(([path, value]) => [path, [value]]);
  if (node.kind === "union") return node.options.flatMap(within);
  if (node.kind !== "object") return [];
  return Object.entries(node.fields).flatMap(([name, field]) =>
    within(field).map(([path, value]): [string, unknown] => [`${name}.${path}`, { [name]: value }]),
  );
}

test("replaces every id in a payload, except for grids, which are not stored", () => {
  const missed = new Set<string>();
  let replaced = 0;
  for (const intent of intentNames)
    for (const [path, value] of idsIn(payloads[intent])) {
      const result = withReferences(intent, value, () => "new");
      if (JSON.stringify(result) === JSON.stringify(value)) missed.add(path.split(".").at(-2) ?? "");
      else replaced++;
    }
  expect([...missed]).toEqual(["gridIds"]);
  expect(replaced).toBeGreaterThan(100);
});

test("says what each id names", () => {
  const named = (intent: string, payload: object) => {
    const found: string[] = [];
    withReferences(intent, payload, (referred, id) => {
      found.push(`${referred} ${id}`);
      return id;
    });
    return found;
  };
  expect(named("topic/upsert", { topicId: "a", parentId: "b" })).toEqual(["topic a", "topic b"]);
  expect(named("folder/upsert", { itemId: "a", tree: { parentId: "b" }, topicIds: ["c"] })).toEqual([
    ...["item a", "item b", "topic c"],
  ]);
  expect(named("item/flow/stage/addItems", { items: [{ id: "a" }] })).toEqual(["item a"]);
  expect(named("order/upsert", { id: "a", relatedOrderIds: ["b"], cart: [{ productId: "c" }] })).toEqual([
    ...["order a", "order b", "item c"],
  ]);
  const plans = [
    { identifier: "box", periods: [{ id: "p", recurring: { meteredVariables: [{ id: "m" }] } }] },
  ];
  expect(named("product/upsert", { variants: [{ subscriptionPlans: plans }] })).toEqual([
    ...["planPart p", "planPart m"],
  ]);
});

test("leaves texts, ids of components, meta data and free JSON alone", () => {
  const payload = {
    name: old,
    components: [{ id: old, componentId: old, richText: { json: [{ itemId: old }] } }],
    meta: [{ key: "itemId", value: old }],
  };
  expect(withReferences("shape/upsert", payload, () => "new")).toBe(payload);
});
